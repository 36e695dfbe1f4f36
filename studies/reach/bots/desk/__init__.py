"""Reading and talking shared by the campsite and the print shop, whose writer wrote both at once."""
