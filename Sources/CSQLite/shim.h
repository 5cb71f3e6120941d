#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import.
// An empty Swift string may have no address, which SQLite would bind as NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text ? text : "", bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
    return sqlite3_bind_blob(statement, index, blob ? blob : "", bytes, SQLITE_TRANSIENT);
}

static inline void csqlite_result_text(sqlite3_context *context, const char *text, int bytes) {
    sqlite3_result_text(context, text ? text : "", bytes, SQLITE_TRANSIENT);
}

static inline void csqlite_result_blob(sqlite3_context *context, const void *blob, int bytes) {
    sqlite3_result_blob(context, blob ? blob : "", bytes, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic, which Swift cannot import.
static inline int csqlite_set_defensive(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

// It is an expression, which Swift cannot import.
static inline int csqlite_no_room_for_shared_memory(void) { return SQLITE_IOERR_SHMSIZE; }
