"""A language server for requirement documents: what ``assent check`` says, while they are written (assent[lsp])."""
