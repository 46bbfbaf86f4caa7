# Answers three families in R without any package: ntqr-exact vectors run possible-group -- Rscript minimal.R
# Doubles are exact for whole numbers below 2^53. What is larger is not answered: the program says skip.

# A line of JSON: objects are named lists, lists are lists. Escapes in texts are left as they stand.
read_json <- function(line) {
  tokens <- regmatches(line, gregexpr('"(\\\\.|[^"\\\\])*"|-?[0-9][0-9.eE+-]*|true|false|null|[]\\[{}:,]', line))[[1]]
  place <- 0
  following <- function() {
    place <<- place + 1
    tokens[place]
  }
  until <- function(end, one) {
    found <- list()
    while (tokens[place + 1] != end) {
      found <- c(found, one())
      if (tokens[place + 1] == ",") following()
    }
    following()
    found
  }
  text <- function(token) substr(token, 2, nchar(token) - 1)
  value <- function() {
    token <- following()
    if (token == "[") return(until("]", function() list(value())))
    if (token == "{") return(until("}", function() {
      name <- text(following())
      following()
      setNames(list(value()), name)
    }))
    if (startsWith(token, "\"")) return(text(token))
    switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
  }
  value()
}

write_json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) {
    parts <- vapply(x, write_json, "")
    if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ", "), "]"))
    return(paste0("{", paste0("\"", names(x), "\": ", parts, collapse = ", "), "}"))
  }
  if (is.logical(x)) return(if (x) "true" else "false")
  if (is.numeric(x)) return(format(x, scientific = FALSE))
  paste0("\"", x, "\"")
}

refuse <- function(broken, word) if (broken) stop(structure(class = c("refused", "error", "condition"), list(message = word, call = NULL)))
too_large <- function() stop(structure(class = c("skipped", "error", "condition"), list(message = "skip", call = NULL)))

# A whole number as a text; a fraction of whole numbers in lowest terms.
whole <- function(x) if (x >= 2^53) too_large() else format(x, scientific = FALSE)
fraction <- function(p, q) {
  a <- abs(p)
  b <- q
  while (b > 0) {
    rest <- a %% b
    a <- b
    b <- rest
  }
  if (q == a) whole(p / a) else paste0(whole(p / a), "/", whole(q / a))
}

possible_group <- function(input) {
  labels <- unlist(input$labels)
  r <- length(labels)
  key <- unlist(input$key_counts)
  questions <- input$questions
  refuse(input$judges < 1 || r < 2 || any(duplicated(labels)) || any(labels == ""), "bad-votes")
  refuse(questions < 0, "bad-number")
  refuse(any(key < 0) || sum(key) != questions, "bad-key-counts")
  width <- r^input$judges
  # All key counts, one row each: the individual evaluations of one key are a product of binomials.
  keys <- matrix(0:questions)
  while (ncol(keys) < r - 1) {
    keys <- do.call(rbind, lapply(0:questions, function(first) cbind(first, keys)))
    keys <- keys[rowSums(keys) <= questions, , drop = FALSE]
  }
  keys <- cbind(keys, questions - rowSums(keys))
  one <- matrix(choose(keys + r - 1, r - 1), nrow(keys))
  counted <- c(choose(questions + r * width - 1, r * width - 1), prod(choose(key + width - 1, width - 1)), sum(apply(one, 1, prod)^input$judges))
  if (max(counted) >= 2^50) too_large() # beyond, a binomial may be a float that has been rounded
  list(possible = whole(counted[1]), possible_at = whole(counted[2]), individual = whole(counted[3]))
}

# The votes and right answers of two labels. table[1 + bit] counts answers; a judge that answers b has the bit 1.
evaluation <- function(input) {
  n <- input$judges
  counts <- as.numeric(unlist(input$counts))
  key <- unlist(input$key_counts)
  right <- matrix(unlist(input$right), ncol = 2, byrow = TRUE)
  refuse(length(counts) != 2^n || nrow(right) != n, "bad-votes")
  refuse(any(c(counts, key, right) < 0), "bad-number")
  refuse(any(right[, 1] > key[1]) || any(right[, 2] > key[2]), "bad-votes")
  answers <- outer(seq_along(counts) - 1, seq_len(n), function(v, i) v %/% 2^(n - i) %% 2)
  seen <- function(judges) vapply(seq_len(2^length(judges)) - 1, function(w) {
    wanted <- w %/% 2^(length(judges) - seq_along(judges)) %% 2
    sum(counts[apply(answers[, judges, drop = FALSE], 1, function(row) all(row == wanted))])
  }, 0)
  single <- all(vapply(seq_len(n), function(i) right[i, 1] + key[2] - right[i, 2] == seen(i)[1], TRUE))
  list(n = n, total = sum(counts), qa = key[1], qb = key[2], s = right[, 1], t = right[, 2], seen = seen, single = single)
}

# All numbers of questions of a on which judges i and j both answer a, in steps of `step`; a third judge may exclude some.
overlaps <- function(e, i, j, third = integer(0), step = 1) {
  n <- e$seen(c(i, j))
  found <- seq(0, n[1], by = step)
  m <- cbind(found, e$s[i] - found, e$s[j] - found, e$qa - e$s[i] - e$s[j] + found)
  good <- apply(m, 1, function(row) all(row >= 0 & row <= n))
  if (length(third)) {
    by <- matrix(e$seen(c(i, j, third)), ncol = 2, byrow = TRUE)
    good <- good & apply(m, 1, function(row) {
      sum(pmax(0, row - by[, 2])) <= e$s[third] && e$s[third] <= sum(pmin(row, by[, 1]))
    })
  }
  found[good]
}

consistent_membership <- function(input) {
  e <- evaluation(input)
  broken <- function() {
    if (e$qa + e$qb != e$total) return("key-counts")
    if (!e$single) return("single")
    for (i in seq_len(e$n)) for (j in seq_len(e$n)) if (i < j && !length(overlaps(e, i, j))) return("pair")
    if (e$n < 3 || length(overlaps(e, 1, 2, 3))) return("none")
    if (length(overlaps(e, 1, 2, 3, step = 0.5))) "whole" else "trio"
  }
  word <- broken()
  list(consistent = word == "none", broken = word)
}

pair_correlation_interval <- function(input) {
  e <- evaluation(input)
  refuse(e$qa + e$qb != e$total, "bad-key-counts")
  i <- input$pair[[1]]
  j <- input$pair[[2]]
  n <- e$seen(c(i, j))
  found <- if (e$single) overlaps(e, i, j, setdiff(seq_len(e$n), c(i, j))) else numeric(0)
  gamma <- function(size, both, one, two) if (size == 0) "no-questions" else fraction(size * both - one * two, size^2)
  end <- function(a) {
    if (!length(found)) return(NULL)
    b <- n[4] - (e$qa - e$s[i] - e$s[j] + a)
    list(both_right = list(a, b), correlations = list(gamma(e$qa, a, e$s[i], e$s[j]), gamma(e$qb, b, e$t[i], e$t[j])))
  }
  # With t questions on which both or none are right, each of the two products is least or greatest by itself.
  over <- function(size, both, one, two, none) {
    if (size == 0) return("no-questions")
    products <- function(t, c, d) {
      x <- seq(max(0, t - d), min(t, c))
      range(x * (t - x))
    }
    t <- seq(max(0, size - one - two), min(size, both + none))
    like <- vapply(t, function(t) products(t, both, none), c(0, 0))
    unlike <- vapply(t, function(t) products(size - t, one, two), c(0, 0))
    list(fraction(min(like[1, ] - unlike[2, ]), size^2), fraction(max(like[2, ] - unlike[1, ]), size^2))
  }
  list(
    consistent = length(found) > 0, points = length(found), lowest = end(found[1]), highest = end(found[length(found)]),
    range_a = over(e$qa, n[1], n[2], n[3], n[4]), range_b = over(e$qb, n[4], n[3], n[2], n[1])
  )
}

families <- list(
  "possible-group" = possible_group, "consistent-membership" = consistent_membership,
  "pair-correlation-interval" = pair_correlation_interval
)
input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  test <- read_json(line)
  family <- families[[test$family]]
  reply <- if (is.null(family)) list(id = test$id, skip = TRUE) else tryCatch(
    list(id = test$id, output = family(test$input)),
    refused = function(error) list(id = test$id, output = list(error = conditionMessage(error))),
    skipped = function(error) list(id = test$id, skip = TRUE)
  )
  cat(write_json(reply), "\n", sep = "")
  flush(stdout())
}
