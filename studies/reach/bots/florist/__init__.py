"""The chatbot of a flower shop with deliveries."""
