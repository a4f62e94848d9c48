"""The program table: real programs, built and run natively and by culprit, compared and timed."""
