"""What the defaults reach: four bots written blind, and what is found in them."""
