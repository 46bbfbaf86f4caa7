# Answers the family possible-group where doubles are exact: ntqr-exact vectors run possible-group -- Rscript minimal.R
# R without packages reads no JSON; these few lines take the parts of a question that are needed out of its line.

numbers <- function(line, name) {
  found <- sub(paste0(".*\"", name, "\": (\\[[^]]*\\]|-?[0-9]+).*"), "\\1", line)
  as.numeric(regmatches(found, gregexpr("-?[0-9]+", found))[[1]])
}

answer <- function(line) {
  names <- sub(".*\"labels\": \\[([^]]*)\\].*", "\\1", line)
  labels <- if (names == "") character(0) else strsplit(names, ", ")[[1]]
  judges <- numbers(line, "judges")
  questions <- numbers(line, "questions")
  key <- numbers(line, "key_counts")
  r <- length(labels)
  if (judges < 1 || r < 2 || any(duplicated(labels)) || any(labels == "\"\"")) return("{\"error\": \"bad-votes\"}")
  if (questions < 0) return("{\"error\": \"bad-number\"}")
  if (any(key < 0) || sum(key) != questions) return("{\"error\": \"bad-key-counts\"}")
  width <- r^judges
  possible <- choose(questions + r * width - 1, r * width - 1)
  at <- prod(choose(key + width - 1, width - 1))
  # All key counts, one row each: the individual evaluations of one key are a product of binomials.
  keys <- matrix(0:questions)
  while (ncol(keys) < r - 1) {
    keys <- do.call(rbind, lapply(0:questions, function(first) cbind(first, keys)))
    keys <- keys[rowSums(keys) <= questions, , drop = FALSE]
  }
  keys <- cbind(keys, questions - rowSums(keys))
  one <- matrix(choose(keys + r - 1, r - 1), nrow(keys))
  individual <- sum(apply(one, 1, prod)^judges)
  if (max(possible, at, individual) >= 2^50) return("")
  values <- format(c(possible, at, individual), scientific = FALSE, trim = TRUE)
  sprintf("{\"possible\": \"%s\", \"possible_at\": \"%s\", \"individual\": \"%s\"}", values[1], values[2], values[3])
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  id <- sub(".*\"id\": \"([^\"]*)\".*", "\\1", line)
  output <- if (grepl("\"family\": \"possible-group\"", line, fixed = TRUE)) answer(line) else ""
  cat(sprintf(if (output == "") "{\"id\": \"%s\", \"skip\": true}\n" else "{\"id\": \"%s\", \"output\": %s}\n", id, output))
  flush(stdout())
}
