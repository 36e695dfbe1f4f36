"""The chatbot of a parcel service."""
