"""What all tests share."""

import signal

# A runner in the background may have been started with SIGINT ignored, and so would every process that a test
# interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
