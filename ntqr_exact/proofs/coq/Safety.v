(** Logical alarms of any number of judges and labels: a leaf of a certificate refutes all keys that it speaks of.

    A row is a number for each pattern and true label, whose sum over the questions has a lower bound: s times the right
    answers of a safe judge on a label minus t times the questions that it answered there is at least 0, and at least 1 if
    there is such a question. Multipliers that are not negative weigh rows; a question adds at most the largest weighted
    value that its answers have under any allowed label. If all votes together add less than the weighted bounds, no
    key meets the rows. An answer that is not a label is no answer. *)

From Coq Require Import ZArith List Lia Bool PeanoNat.
From NtqrExact Require Import Questions.
Import ListNotations.
Open Scope Z_scope.

Record row := Row { worth : pattern -> nat -> Z; bound : Z }.
Definition sum_of (r : row) (test : list question) : Z := total (fun q => worth r (answers q) (truth q)) test.

(** Rows with their multipliers, weighted at a pattern and a label; the largest over the allowed labels. *)
Definition weighted (rows : list (Z * row)) (p : pattern) (l : nat) : Z := total (fun r => fst r * worth (snd r) p l) rows.
Definition highest (xs : list Z) : Z := match xs with [] => 0 | x :: rest => fold_right Z.max x rest end.
Definition best (labels : nat) (allowed : pattern -> nat -> bool) (rows : list (Z * row)) (p : pattern) : Z :=
  highest (map (weighted rows p) (filter (allowed p) (seq 0 labels))).
Definition refutes (labels : nat) (allowed : pattern -> nat -> bool) (rows : list (Z * row)) (votes : counted) : bool :=
  forallb (fun r => 0 <=? fst r) rows &&
  (total (fun v => snd v * best labels allowed rows (fst v)) votes <? total (fun r => fst r * bound (snd r)) rows).

Lemma highest_is : forall xs x, In x xs -> x <= highest xs.
Proof.
  intros [| y xs] x there; [contradiction |]. simpl. destruct there as [<- | there].
  - induction xs as [| z xs step]; simpl; lia.
  - induction xs as [| z xs step]; [contradiction |]. simpl. destruct there as [<- | there]; [lia |].
    specialize (step there). lia.
Qed.

Theorem leaf_sound : forall labels allowed rows votes test,
  refutes labels allowed rows votes = true -> test_of labels votes test ->
  (forall q, In q test -> allowed (answers q) (truth q) = true) ->
  ~ (forall r, In r rows -> bound (snd r) <= sum_of (snd r) test).
Proof.
  intros labels allowed rows votes test refuted of_votes within meets.
  apply andb_prop in refuted. destruct refuted as [positive less].
  rewrite forallb_forall in positive. apply Z.ltb_lt in less.
  assert (low : total (fun r => fst r * bound (snd r)) rows <= total (fun r => fst r * sum_of (snd r) test) rows).
  { apply total_le. intros r there. specialize (positive r there). apply Z.leb_le in positive.
    apply Z.mul_le_mono_nonneg_l; [exact positive | exact (meets r there)]. }
  assert (swapped : total (fun r => fst r * sum_of (snd r) test) rows =
                    total (fun q => weighted rows (answers q) (truth q)) test).
  { unfold weighted, sum_of. rewrite total_swap. apply total_same. intros r _. rewrite total_times. reflexivity. }
  assert (high : total (fun q => weighted rows (answers q) (truth q)) test <=
                 total (fun q => best labels allowed rows (answers q)) test).
  { apply total_le. intros q there. apply highest_is. apply in_map. apply filter_In. split.
    - apply in_seq. assert (known := proj2 of_votes q there). lia.
    - exact (within q there). }
  rewrite (total_by_votes labels votes test of_votes (best labels allowed rows)) in high. lia.
Qed.

(** What is asked of a key: judge j is safe on label l, or is safe there and has a question of it; it has as many right
    answers; a label has at least, or at most, so many questions. *)
Definition answered (labels j : nat) (p : pattern) : bool := Nat.ltb (nth j p O) labels.
Definition questions_for (labels j l : nat) (test : list question) : Z :=
  count (fun q => Nat.eqb (truth q) l && answered labels j (answers q)) test.
Definition safe_on (labels j l : nat) (s t : Z) (test : list question) : Prop :=
  questions_for labels j l test = 0 \/ t * questions_for labels j l test < s * right_answers j l test.
Definition all_right (j : nat) (test : list question) : Z := count (fun q => Nat.eqb (answer_of j q) (truth q)) test.

Inductive claim :=
| Safe (j l : nat) (s t : Z)
| SafeAndUsed (j l : nat) (s t : Z)
| Grade (j : nat) (minimum : Z)
| AtLeast (l : nat) (n : Z)
| AtMost (l : nat) (n : Z)
| Split (p : pattern) (l : nat) (n : Z)
| SplitAtMost (p : pattern) (l : nat) (n : Z).

Definition of_split (p : pattern) (l : nat) (q : question) : bool := same_pattern (answers q) p && Nat.eqb (truth q) l.
Definition holds (labels : nat) (c : claim) (test : list question) : Prop :=
  match c with
  | Safe j l s t => safe_on labels j l s t test
  | SafeAndUsed j l s t => safe_on labels j l s t test /\ 0 < questions_for labels j l test
  | Grade j minimum => minimum <= all_right j test
  | AtLeast l n => n <= questions_of l test
  | AtMost l n => questions_of l test <= n
  | Split p l n => n <= count (of_split p l) test
  | SplitAtMost p l n => count (of_split p l) test <= n
  end.

Definition safe_worth (labels j l : nat) (s t : Z) (p : pattern) (m : nat) : Z :=
  indicator (Nat.eqb m l && answered labels j p) * (s * indicator (Nat.eqb (nth j p O) l) - t).
Definition row_of (labels : nat) (c : claim) : row :=
  match c with
  | Safe j l s t => Row (safe_worth labels j l s t) 0
  | SafeAndUsed j l s t => Row (safe_worth labels j l s t) 1
  | Grade j minimum => Row (fun p m => indicator (Nat.eqb (nth j p O) m)) minimum
  | AtLeast l n => Row (fun _ m => indicator (Nat.eqb m l)) n
  | AtMost l n => Row (fun _ m => - 1 * indicator (Nat.eqb m l)) (- n)
  | Split p l n => Row (fun r m => indicator (same_pattern r p && Nat.eqb m l)) n
  | SplitAtMost p l n => Row (fun r m => - 1 * indicator (same_pattern r p && Nat.eqb m l)) (- n)
  end.

Lemma safe_sum : forall labels j l s t test, (l < labels)%nat ->
  total (fun q => safe_worth labels j l s t (answers q) (truth q)) test =
  s * right_answers j l test - t * questions_for labels j l test.
Proof.
  intros labels j l s t test known. unfold right_answers, questions_for, count.
  rewrite <- Z.add_opp_r, <- Z.mul_opp_l.
  rewrite <- !total_times, <- total_plus. apply total_same. intros q _. unfold safe_worth, answered, answer_of.
  destruct (Nat.eqb (truth q) l); cbn [andb]; [| unfold indicator; ring].
  destruct (Nat.eqb (nth j (answers q) O) l) eqn:e; cbn [andb].
  - apply Nat.eqb_eq in e. rewrite e. apply Nat.ltb_lt in known. rewrite known. unfold indicator. ring.
  - destruct (Nat.ltb (nth j (answers q) O) labels); unfold indicator; ring.
Qed.

Definition label_of (c : claim) : nat := match c with Safe _ l _ _ | SafeAndUsed _ l _ _ => l | _ => O end.

Theorem row_holds : forall labels c test, (label_of c < labels)%nat -> holds labels c test ->
  bound (row_of labels c) <= sum_of (row_of labels c) test.
Proof.
  intros labels c test known claimed. unfold sum_of.
  destruct c as [j l s t | j l s t | j minimum | l n | l n | p l n | p l n];
    cbn [row_of worth bound label_of holds] in *.
  - rewrite safe_sum by exact known. destruct claimed as [none | more]; [| lia].
    rewrite none. assert (right_answers j l test = 0); [| lia].
    assert (few : right_answers j l test <= questions_for labels j l test).
    { apply count_le. intros q both. apply andb_prop in both. destruct both as [one two]. rewrite one. simpl.
      unfold answered. unfold answer_of in two. apply Nat.eqb_eq in two. rewrite two. apply Nat.ltb_lt. exact known. }
    assert (low := count_low (fun q => Nat.eqb (truth q) l && Nat.eqb (answer_of j q) l) test).
    unfold right_answers in *. lia.
  - rewrite safe_sum by exact known. destruct claimed as [[none | more] used]; lia.
  - unfold all_right, count, answer_of in claimed. exact claimed.
  - exact claimed.
  - rewrite total_times. unfold questions_of, count in claimed. lia.
  - exact claimed.
  - rewrite total_times. unfold of_split, count in claimed. lia.
Qed.

(** A leaf: labels that a judge has no question of are not allowed; the claims have multipliers. *)
Definition lacks := list (nat * nat).
Definition allowed_by (labels : nat) (none : lacks) (p : pattern) (l : nat) : bool :=
  forallb (fun m => negb (Nat.eqb l (snd m) && answered labels (fst m) p)) none.

Theorem safety_leaf_sound : forall labels (none : lacks) (claims : list (Z * claim)) votes test,
  (forall c, In c claims -> (label_of (snd c) < labels)%nat) ->
  refutes labels (allowed_by labels none) (map (fun c => (fst c, row_of labels (snd c))) claims) votes = true ->
  test_of labels votes test -> (forall m, In m none -> questions_for labels (fst m) (snd m) test = 0) ->
  ~ (forall c, In c claims -> holds labels (snd c) test).
Proof.
  intros labels none claims votes test known refuted of_votes empty all.
  apply (leaf_sound _ _ _ _ test refuted of_votes).
  - intros q there. apply forallb_forall. intros m lacking. apply negb_true_iff.
    destruct (Nat.eqb (truth q) (snd m) && answered labels (fst m) (answers q)) eqn:e; [| reflexivity].
    exfalso.
    assert (some := count_positive (fun q => Nat.eqb (truth q) (snd m) && answered labels (fst m) (answers q)) q test there e).
    specialize (empty m lacking).
    unfold questions_for in empty. lia.
  - intros r there. apply in_map_iff in there. destruct there as [c [<- there]]. apply row_holds.
    + apply known. exact there.
    + apply all. exact there.
Qed.

(** Two judges who contradict each other on both of two questions are not both right on more than half of each label. *)
Example pair_alarm : forall test, test_of 2 [([0; 1]%nat, 1); ([1; 0]%nat, 1)] test ->
  ~ (forall j l, (j < 2)%nat -> (l < 2)%nat -> safe_on 2 j l 2 1 test).
Proof.
  intros test of_votes safe.
  assert (all_asked : forall j, (j < 2)%nat -> questions_for 2 j 0 test + questions_for 2 j 1 test = 2).
  { intros j low. assert (two := total_by_votes _ _ _ of_votes (fun p => indicator (answered 2 j p))).
    rewrite (total_same _ (fun q => indicator (Nat.eqb (truth q) 0 && answered 2 j (answers q)) +
                                   indicator (Nat.eqb (truth q) 1 && answered 2 j (answers q)))) in two.
    - rewrite total_plus in two. unfold questions_for, count. rewrite two.
      destruct j as [| [| j]]; [reflexivity | reflexivity | lia].
    - intros q there. assert (known := proj2 of_votes q there).
      destruct (truth q) as [| [| l]]; [| | lia]; simpl; destruct (answered 2 j (answers q)); reflexivity. }
  assert (used : exists l, (l < 2)%nat /\ 0 < questions_for 2 0 l test).
  { specialize (all_asked O ltac:(lia)). assert (0 < questions_for 2 0 0 test \/ 0 < questions_for 2 0 1 test) by lia.
    destruct H; [exists O | exists 1%nat]; split; lia. }
  destruct used as [l [low used]].
  destruct l as [| [| l]]; [| | lia].
  - refine (safety_leaf_sound 2 [] [(1, SafeAndUsed 0 0 2 1); (1, Safe 0 1 2 1); (1, Safe 1 0 2 1); (1, Safe 1 1 2 1)]
              _ test _ _ of_votes _ _); [| reflexivity | contradiction |];
      intros c [<- | [<- | [<- | [<- | []]]]]; cbn; try lia; try (apply safe; lia). split; [apply safe; lia | exact used].
  - refine (safety_leaf_sound 2 [] [(1, SafeAndUsed 0 1 2 1); (1, Safe 0 0 2 1); (1, Safe 1 0 2 1); (1, Safe 1 1 2 1)]
              _ test _ _ of_votes _ _); [| reflexivity | contradiction |];
      intros c [<- | [<- | [<- | [<- | []]]]]; cbn; try lia; try (apply safe; lia). split; [apply safe; lia | exact used].
Qed.
