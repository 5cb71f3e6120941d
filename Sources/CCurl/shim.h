#pragma once
// The checks are for literal options in C; they only warn about wrappers.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// curl_easy_setopt is variadic: one wrapper for each type of argument.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// The callbacks are variadic arguments, too: here with the types that curl will call them by.
static inline void ccurl_set_callbacks(
    CURL *easy,
    size_t (*header)(char *, size_t, size_t, void *),
    size_t (*body)(char *, size_t, size_t, void *),
    curl_socket_t (*open)(void *, curlsocktype, struct curl_sockaddr *)) {
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
}
static inline void ccurl_set_user(CURL *easy, void *user) {
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, user);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, user);
    (void)curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, user);
    (void)curl_easy_setopt(easy, CURLOPT_PRIVATE, user);
}

// curl_easy_getinfo is variadic.
static inline int64_t ccurl_info_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline long ccurl_info_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline void *ccurl_info_private(CURL *easy) {
    char *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// curl_multi_setopt and curl_share_setopt are variadic.
static inline void ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    (void)curl_multi_setopt(multi, option, value);
}
static inline void ccurl_share_tls_sessions(CURLSH *share) {
    (void)curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

// The message's result is a member of a union.
static inline CURL *ccurl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// CURL_GLOBAL_DEFAULT and CURL_SOCKET_BAD are macros with casts, lost on import.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline curl_socket_t ccurl_no_socket(void) { return CURL_SOCKET_BAD; }

// socket() as curl would call it: Glibc is imported by System only.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// The address follows a header of its family's own type: copies its 4 or 16 bytes, returns how many.
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, uint8_t *bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

// inet_pton without Glibc: 4 or 16 bytes of an address in text, 0 where it is none.
#include <arpa/inet.h>
static inline int ccurl_parse_address(const char *text, uint8_t *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    if (inet_pton(AF_INET6, text, bytes) == 1) return 16;
    return 0;
}

// The clock that a Retry-After date is held against, without Glibc.
static inline int64_t ccurl_wall_seconds(void) { return (int64_t)time(NULL); }

// Milliseconds, without Glibc.
static inline void ccurl_sleep(int milliseconds) {
    struct timespec time = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
    (void)nanosleep(&time, NULL);
}

// The thread that drives a multi handle, without Glibc: 0 where it could not be started.
// It is named here because glibc declares pthread_setname_np only under _GNU_SOURCE.
int pthread_setname_np(pthread_t thread, const char *name);
static inline pthread_t ccurl_start_thread(void *(*body)(void *), void *user) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, user) != 0) return 0;
    (void)pthread_setname_np(thread, "transfers");
    return thread;
}
// Where the system has no thread or no memory left, nothing can go on or be cleaned up: one line,
// and the status of a failed environment. Threads that run must not meet what exit() takes down.
static inline _Noreturn void ccurl_end_process(const char *missing) {
    (void)dprintf(STDERR_FILENO,
                  "gearbox: the system has no %s left for transfers; raise `ulimit -u`, `ulimit -v`"
                  " or the container's limits, or free memory, and run again\n",
                  missing);
    _exit(4);
}
static inline void ccurl_join_thread(pthread_t thread) { (void)pthread_join(thread, NULL); }
static inline void ccurl_detach_thread(pthread_t thread) { (void)pthread_detach(thread); }
