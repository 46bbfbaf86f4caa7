"""Words that several specifications share: {name} in a docstring of a family is the text of that name here."""

import re

_TEXT = """\
alarms-sorted: alarms: the set of alarms as a list in alphabetical order. key_exists: whether the set is empty.
components: components: empty if identification is not identified; otherwise for each true label its share of the
  questions, and for each judge the list of its rates of the labels. As true labels come out without names, the
  components are in decreasing order of the list (share, rates of judge 1, rates of judge 2, …).
counts-of-outputs: counts tells how many outputs were put into each class, N in all. Refuse as bad-number a count that
  is not whole or negative, another number of counts than of classes, and N = 1; refuse N = 0 as empty-test.
critical-value-and-ends: z is a critical value; refuse as bad-number one that is not positive. ends is open or closed;
  refuse any other as bad-choice.
error-of-the-source: The error e of the source comes from exactly one of error, accuracy and labels, the others are
  null; refuse as bad-samples none or more than one. (1) e = error. (2) e = 1 − accuracy. Refuse as bad-number what is
  no number or outside [0, 1]. (3) labels gives a true label for each source vector, a whole number from 0 to k − 1. A
  vector predicts the label of its largest probability, of several the first. e is the share of the source whose
  predicted label is not the true one. Refuse as bad-samples another number of labels than of source vectors and a
  label above k − 1, as bad-number a label that is not whole or negative.
identification: identification is none after one of these alarms, and identified if the eigenvectors have been found.
  If they have been found with no pair, the rates are not identified: refuse.
independent-key: key: empty if identification is not identified or there is an alarm; otherwise for each component, in
  order, the list of its counts Q·share·(product of the rates of the judges) for all patterns.
independent-refused: Refuse as bad-votes unless each pattern has a count, as bad-number a negative count, and
  as empty-test if Q = 0. An input has one fault at most.
individual-evaluation: An individual evaluation says how many questions have the true label a and b (key_counts: Q_a,
  Q_b) and for each judge i how often it is right on them (right: s_i = R^a_a and t_i = R^b_b). There are two labels.
key-of-a-group: An answer key of a group of judges says for each pattern v of their answers how many of its questions
  have each true label, whole numbers from 0 whose sum is the number of questions on which the group gave this
  pattern. The sums over the patterns are the key counts Q_l, the numbers of questions of each label.
key-rule: It need not be searched for. One judge: a key exists if 0 ≤ s_1 ≤ R_a1 and 0 ≤ Q_a − s_1 ≤ R_b1, with R_a1
  and R_b1 the numbers of its answers. Two judges i, j: let e be the number of questions of a on which both answer a;
  then m_aa = e, m_ab = s_i − e, m_ba = s_j − e and m_bb = Q_a − s_i − s_j + e questions of a have each two answers w
  of theirs, and a key exists if for some whole e each 0 ≤ m_w ≤ N_w, the number of questions with the answers w.
  Three judges i, j, h: if for some such e also Σ_w max(0, m_w − c_wb) ≤ s_h ≤ Σ_w min(m_w, c_wa), where c_wa and c_wb
  count the questions with the answers w of i and j and the answer a or b of h.
matrices-decide: If two of the M of that pair, of all other judges and labels, do not commute: alarm not-commuting,
  and that is all. Otherwise, for t = 1, 2, …, take Σ tᵐ·M_m, where m = 0, 1, … numbers the matrices by judge and then
  by label, and its characteristic polynomial. If that has a root that is not real: alarm complex-roots; if all are
  real and one is irrational: alarm irrational-roots; if all are rational and one is multiple, but the matrix is not
  diagonalisable: alarm not-diagonalisable; and that is all. If a root is multiple and the matrix is diagonalisable,
  go on with the next t; if this is still so for t = (number of matrices)·R·(R − 1)/2, the pair is unidentified, and
  the next pair with a regular S is taken. If all roots are simple and an eigenvector has the sum 0: alarm
  contradiction, and that is all. Otherwise the eigenvectors, each divided by its sum, are the rates with which judge
  p gives the labels, one vector for each true label.
metric-model: A metric model puts each output into one of k classes. It is given in one of two ways. (1) rates,
  positive and variances, lists with an entry for each class o: the probability r_o that an output in it is really
  positive, whether its label says positive, and the variance v_o of r_o. (2) tp, fp, fn and tn, counts on a labelled
  set: then there are two classes, the first with a negative label and r_1 = fn/(fn + tn), the second with a positive
  label and r_2 = tp/(tp + fp); v_o = r_o·(1 − r_o)/(n_o − 1), where n_1 = fn + tn and n_2 = tp + fp.
metric-model-refused: Refuse as bad-number: what is not a number; a rate outside [0, 1]; a negative variance; fewer than
  two classes; lists of different lengths; in (2) a count that is not whole or negative, and n_1 or n_2 below 2.
metrics: The metrics, as shares of n = tp + fp + fn + tn or of parts of it, with the word for a share of
  nothing (its lower sum is zero): recall = tp/(tp + fn), no-positives. precision = tp/(tp + fp),
  no-predicted-positives. f1 = 2tp/(2tp + fp + fn), nothing-positive. fpr = fp/(fp + tn), no-negatives. accuracy = (tp
  + tn)/n, error_rate = (fp + fn)/n, match_rate = (tp + fp)/n and filter_rate = (fn + tn)/n, all four no-samples.
negated-metrics: The negated form of a metric, its name after an exclamation mark, is the metric after tp and tn, and
  fp and fn, have changed places; its word speaks of the other label: no-positives and no-negatives,
  no-predicted-positives and no-predicted-negatives, nothing-positive and nothing-negative change places, and
  no-samples stays.
number-texts: Numbers are JSON integers, or texts like 3/8, 0.375 or 4e-7, which mean just what they say.
on-the-variety: on: whether all residuals are zero (none is undefined).
point: The point is given in one of two forms. rates: the prevalences P_a and P_b, for each judge the accuracies x and
  y on a and on b, and the error correlations; they need not fit together. A number is a rational or a surd a + b√d;
  null is a rate that is undefined.
point-as-key: key: for each true label l how many of its questions got each pattern, which need not add up to the
  votes. With Q_l the sum of the counts of l: P_l = Q_l/(Q_a + Q_b); the accuracy of a judge on l is the share of the
  Q_l questions that it answered l; Γ^l of some judges is the mean over the Q_l questions of the product over these
  judges of (1 if it answered l else 0) − accuracy. If Q_l = 0, accuracies and correlations on l are undefined.
point-refused: Refuse as bad-votes a number of counts that is not R^N, in the votes or in a key; as bad-number a count
  that is negative; as empty-test votes or a key without questions.
probability-vector: A probability vector is a list of at least two numbers, none negative, with sum 1. Numbers are
  JSON integers, or texts like 3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is no
  number, and as bad-samples a list that is not a probability vector.
rates-from-eigenvectors: identified: U is the matrix with the eigenvectors as columns. The sums of the rows of U⁻¹·S/Q
  are the shares of the true labels, its rows divided by their sums are the rates of judge q, and the diagonal of
  U⁻¹·M_k·U holds the rates with which judge r answers k on each true label. If a share is 0: alarm zero-prevalence,
  and that is all (identification is none).
rates-out-of-range: identified: alarm out-of-range if a share or a rate is not from 0 to 1. Without an alarm,
  alarm not-whole if one of the counts of the key, below, is not a whole number.
response-matrices: For a pair p < q of judges let S be the R by R table of how often p and q gave each two labels
  (rows: p), and for each other judge r and each label k let T_k be the part of S where r answered k; M_k = T_k·S⁻¹.
  Take the pairs in the order 12, 13, …, 23, …, and the first whose S is regular.
safe-key: Under such a key, each judge of the group has a number of right answers on each label. The group could be
  safe at some key counts if one of its answer keys with these key counts makes all of its judges safe.
samples: The input gives samples by their labels, 1 for positive and 0 for negative, and their scores, in the same
  order. A score is a whole number, or a text with a whole number, a fraction or a decimal with or without an
  exponent; 1/2, 0.5 and 5e-1 are the same score, and numbers that differ in their hundredth digit are not.
samples-refused: Refuse as bad-number a score that is not a number; as bad-samples no samples, another number of scores
  than of labels, or a label other than 0 and 1.
scores: A score of a vector p with k labels is one of: max, the largest p_i; l2, √(Σ p_i²); l1-uniform, Σ |p_i − 1/k|;
  l2-uniform, √(Σ (p_i − 1/k)²); entropy, Σ p_i·log p_i; jensen-shannon, ½·Σ p_i·log(p_i/m_i) + ½·Σ
  (1/k)·log((1/k)/m_i) with m_i = (p_i + 1/k)/2; jensen-shannon-printed, ½·Σ (p_i − 1/k)·log p_i, which is infinite if
  some p_i is 0. Otherwise 0·log 0 counts as 0; log is the natural logarithm.
scores-compared: Scores are compared exactly. With L a common denominator of two vectors, A = Lp and B = Lq are whole:
  entropies compare like the products of A_i^A_i and of B_i^B_i; Jensen-Shannon scores like the products of
  A_i^(kA_i)/(kA_i + L)^(kA_i + L) and the same of B; the printed ones like the products of A_i^(kA_i − L) and the
  same of B. Different vectors may tie.
source-and-target: source and target are lists of probability vectors. Refuse as bad-samples an empty list, and
  vectors that do not all have the same number k of labels.
sums-of-a-sample: Below, N is the number of outputs, s_o the share of them in class o, p the share in classes with a
  positive label, m the sum of s_o·r_o, A the sum of s_o·(r_o − m)², and B the sum of s_o·r_o·(1 − r_o).
undefined-residual: Where rates are undefined, multiply the polynomial out and collect its terms by the powers of the
  undefined rates in them. If the coefficients of all powers but the constant one vanish (as with P_l = 0), the
  residual is the constant part; otherwise it is the word undefined.
variance-readings: The variance has six readings. deterministic: p·(1 − p)/(N − 1). printed: m·(1 − m)/(N − 1).
  real-share: A/(N − 1) + B/N. estimator: A/(N − 1). given-labels: B/N. estimated-rates: A/(N − 1) plus the sum of
  s_o²·v_o.
votes: The input gives the labels, the number N of judges and a count for each of the R^N patterns, in lexicographic
  order with the last judge changing fastest (for two labels and three judges: aaa aab aba abb baa bab bba bbb). Q is
  the sum of the counts. A count is a whole number that is not negative; one beyond 2^53 is a text.
weights-of-vectors: source_weights and target_weights are null, for weights of 1, or give a weight for each vector.
  Refuse as bad-number a weight that is not a number; as bad-samples another number of weights than of vectors, a
  negative one, and weights that are all zero. A share of the source or the target is the sum of the weights of some
  vectors over that of all.
"""

WORDS = {
    name: " ".join(words.split())
    for name, words in re.findall(r"^([a-z0-9-]+): (.*(?:\n  .*)*)", _TEXT, re.MULTILINE)
}
