"""Blind chatbots that speak two languages."""
