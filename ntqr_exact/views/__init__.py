"""Views: what people look at. Pictures, and values in the form that a notebook shows."""
