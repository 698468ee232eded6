"""What the templates of the pages may say."""
