package io.meshhost.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The machine's users and groups (passwd(5), group(5)); numbers are accepted wherever names are. */
public interface Accounts {
    OptionalInt uid(String nameOrNumber);

    OptionalInt gid(String nameOrNumber);

    /** The group that what the user makes belongs to, as passwd has it; empty where there is no such user. */
    OptionalInt primaryGid(String nameOrNumber);

    /** The name of the uid, else the number in digits. */
    String userName(int uid);

    String groupName(int gid);

    Optional<Account> user(String name);

    /**
     * useradd(8).
     *
     * @throws MachineFailure with useradd's own words
     */
    void add(Account account, boolean system);

    /** usermod(8): brings uid, home, shell and supplementary groups to what is given. */
    void modify(Account account);

    /** userdel(8) without -r: the home stays. */
    void delete(String name);

    /** Who runs this program. */
    int ownUid();

    int ownGid();

    default boolean root() {
        return ownUid() == 0;
    }

    /** A line of passwd with its supplementary groups, by name, sorted. An empty uid: the system chooses. */
    record Account(String name, OptionalInt uid, Optional<Path> home, Optional<Path> shell, List<String> groups) {}
}
