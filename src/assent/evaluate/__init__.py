"""Every table and figure from one run over labelled translations, so that they cannot disagree."""
