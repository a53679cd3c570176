"""assent: English instructions into temporal logic, vouched for or withheld."""

__version__ = "0.2.0"
