"""Training the embedded models (needs the extra ``train``): network, loop, conversion, fine-tuning."""
