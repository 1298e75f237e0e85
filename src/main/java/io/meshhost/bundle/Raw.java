package io.meshhost.bundle;

/**
 * An entry as the archive has it, before anything is believed.
 *
 * @param mode all bits that the archive gives, setuid and the like included
 * @param size bytes of a file once unpacked
 * @param link target of a symbolic or a hard link, else empty
 * @param holes whether long runs of zeros are to be left unwritten
 */
record Raw(String name, Kind kind, int mode, long size, String link, boolean holes) {
    enum Kind {
        FILE,
        DIRECTORY,
        SYMLINK,
        HARDLINK,
        DEVICE,
        FIFO,
        SOCKET,
        UNKNOWN
    }
}
