"""What people and other programs see of a run; every form is made from the data of `report.json` alone."""
