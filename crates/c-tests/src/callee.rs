//! How a test names the function that it calls.

/// Functions of the C library whose results compilers compute at compile time where they can. A program's own version
/// must be called through a pointer that the compiler cannot see through.
const KNOWN_TO_COMPILERS: &str = "\
    abort abs acos asin atan atan2 atoi atol bcmp bcopy bzero calloc cbrt ceil copysign cos cosh div exit exp exp2 fabs \
    fabsf fdim ffs ffsl ffsll floor fma fmax fmin fmod fprintf fputs free frexp fwrite hypot imaxabs index isalnum isalpha \
    isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit labs ldexp llabs log log10 log2 \
    lrint lround malloc memchr memcmp memcpy memmove memset mempcpy nearbyint pow printf putchar puts realloc rindex rint \
    round scalbn signbit sin sinh snprintf sprintf sqrt sqrtf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn \
    strdup strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr tan tanh toascii tolower \
    toupper trunc vprintf vsnprintf vsprintf";

/// What a test calls.
pub(crate) fn name(function: &str) -> &str {
    match function {
        // The file has a `main` of its own.
        "main" => "unit_original_main",
        known if KNOWN_TO_COMPILERS.split_whitespace().any(|name| name == known) => "unit_function",
        other => other,
    }
}

/// The declarations that a test needs to call it.
pub(crate) fn declaration(function: &str) -> String {
    if name(function) != "unit_function" {
        return String::new();
    }
    format!(
        "\n/* The compiler believes to know what `{function}` does; what this one does is known when it is called. */\n\
         static __typeof__({function}) *volatile unit_function = {function};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_compilers_know_are_called_through_a_pointer() {
        assert_eq!([name("parse"), name("main"), name("abs")], ["parse", "unit_original_main", "unit_function"]);
        assert_eq!(declaration("parse"), "");
        assert!(declaration("abs").contains("*volatile unit_function = abs;"));
    }
}
