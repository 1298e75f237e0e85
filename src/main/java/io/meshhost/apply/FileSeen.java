package io.meshhost.apply;

/** What is seen of a file's path: while it is declared, or once it no longer is. */
sealed interface FileSeen permits FileSight, FileGone {}
