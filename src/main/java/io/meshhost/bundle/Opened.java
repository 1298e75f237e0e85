package io.meshhost.bundle;

import java.io.InputStream;
import java.util.OptionalLong;

/** A source that answered: its bytes, and how many there will be where it says so. */
record Opened(InputStream bytes, OptionalLong size) {}
