(** The decision for all votes of three judges and two labels: is there an answer key with independent errors?

    Where a pair moment vanishes and no contradiction follows, one judge answers independently of the two others. Then
    the answers of one of these two, taken for the key, leave all errors independent: a key always exists. *)

From Coq Require Import ZArith QArith Lia Bool.
From NtqrExact Require Import Keys Mixture Alarms Completeness.
Open Scope Z_scope.

(** The questions to which the first, or the second, judge answered [a]. *)
Definition answered_by_1 (v : table) : table := Table (aaa v) (aab v) (aba v) (abb v) 0 0 0 0.
Definition answered_by_2 (v : table) : table := Table (aaa v) (aab v) 0 0 (baa v) (bab v) 0 0.

Definition decide (v : table) : bool :=
  if moments v =? 0 then is_key (answered_by_2 v) v || is_key (answered_by_1 v) v else key_found v.

Ltac counts := unfold subtract, answered_by_1, answered_by_2, size, count1, count2, count3, count12, count13, count23,
  count123 in *; simpl in *; rewrite ?Z.add_0_r, ?Z.sub_0_r, ?Z.sub_diag, ?Z.add_0_l in *.

(** A table in which one judge always gives the same answer is independent if the two others are: what is counted with
    that judge is counted without it, or nothing. *)
Ltac one_fixed t with_one one with_other other both fixed low others :=
  let same x y := (assert (x = y) by (counts; unfold nonnegative in low; lia)) in
  unfold independent_in_z; apply orb_true_iff; right; rewrite !andb_true_iff, !Z.eqb_eq;
  destruct fixed as [all | none];
  [ same (with_one t) (one t); same (with_other t) (other t); same (count123 t) (both t);
    repeat match goal with h : _ = _ :> Z |- _ => lazymatch h with others => fail | all => fail | _ => rewrite h; clear h end end;
    rewrite all; repeat split; try ring; try exact others; rewrite <- Z.mul_assoc, others; ring
  | same (with_one t) 0; same (with_other t) 0; same (count123 t) 0;
    repeat match goal with h : _ = 0 |- _ => lazymatch h with none => fail | _ => rewrite h; clear h end end;
    rewrite none in *; repeat split; try ring; exact others ].

Lemma independent_with_2_fixed : forall t,
  count2 t = size t \/ count2 t = 0 -> nonnegative t -> size t * count13 t = count1 t * count3 t ->
  independent_in_z t = true.
Proof. intros t fixed low others. one_fixed t count12 count1 count23 count3 count13 fixed low others. Qed.

Lemma independent_with_1_fixed : forall t,
  count1 t = size t \/ count1 t = 0 -> nonnegative t -> size t * count23 t = count2 t * count3 t ->
  independent_in_z t = true.
Proof. intros t fixed low others. one_fixed t count12 count2 count13 count3 count23 fixed low others. Qed.

(** The answers of one judge, taken for the key. *)
Ltac answers_are_key v answered fixed low first second :=
  unfold is_key; rewrite !andb_true_iff;
  assert (nonnegative (answered v)) by (unfold nonnegative, answered_by_1, answered_by_2 in *; simpl; lia);
  assert (nonnegative (subtract v (answered v)))
    by (unfold nonnegative, subtract, answered_by_1, answered_by_2 in *; simpl; lia);
  repeat split; try (apply nonnegative_iff; assumption); apply fixed; try assumption;
  [ left; counts; lia
  | match type of first with ?x = _ => transitivity x; [counts; ring | rewrite first; counts; ring] end
  | right; counts; lia
  | match type of second with ?x = _ => transitivity x; [counts; ring | rewrite second; counts; ring] end ].

Lemma is_key_of_2 : forall v, nonnegative v ->
  count2 v * count123 v = count12 v * count23 v ->
  (size v - count2 v) * (count13 v - count123 v) = (count1 v - count12 v) * (count3 v - count23 v) ->
  is_key (answered_by_2 v) v = true.
Proof. intros v low first second. answers_are_key v answered_by_2 independent_with_2_fixed low first second. Qed.

Lemma is_key_of_1 : forall v, nonnegative v ->
  count1 v * count123 v = count12 v * count13 v ->
  (size v - count1 v) * (count23 v - count123 v) = (count2 v - count12 v) * (count3 v - count13 v) ->
  is_key (answered_by_1 v) v = true.
Proof. intros v low first second. answers_are_key v answered_by_1 independent_with_1_fixed low first second. Qed.

(** A judge who is independent of the two others: [n] questions, of which it answered [c] with [a]; [x] counts what one
    of the others, [y] what the other, and [z] what both answered [a], and [cx], [cy], [cz] those among the [c]. *)
Lemma one_apart : forall n c x y z cx cy cz, 0 < n ->
  n * cx = c * x -> n * cy = c * y -> n * cz = c * z ->
  x * cz = cx * z /\ (n - x) * (cy - cz) = (c - cx) * (y - z).
Proof.
  intros n c x y z cx cy cz positive ex ey ez. split.
  - apply (Z.mul_reg_l _ _ n); [lia |].
    transitivity (x * (n * cz)); [ring |]. rewrite ez. transitivity (c * x * z); [ring |]. rewrite <- ex. ring.
  - apply (Z.mul_reg_l _ _ n); [lia |].
    transitivity ((n - x) * (n * cy - n * cz)); [ring |]. rewrite ey, ez.
    transitivity ((n * c - c * x) * (y - z)); [ring |]. rewrite <- ex. ring.
Qed.

Lemma key_of_vanishing_moments : forall v, 0 < size v -> nonnegative v -> moments v = 0 -> contradiction v = false ->
  is_key (answered_by_2 v) v = true \/ is_key (answered_by_1 v) v = true.
Proof.
  intros v positive low zero calm. unfold contradiction in calm. apply orb_false_iff in calm.
  destruct calm as [one rest]. rewrite (proj2 (Z.eqb_eq _ _) zero) in rest. simpl in rest.
  apply negb_false_iff, Z.eqb_eq in rest. unfold moment123 in rest.
  assert (some : moment12 v = 0 \/ moment13 v = 0 \/ moment23 v = 0).
  { unfold moments in zero. apply Z.mul_eq_0 in zero. destruct zero as [h | h]; [apply Z.mul_eq_0 in h |]; tauto. }
  assert (two : (moment12 v = 0 /\ moment13 v = 0) \/ (moment12 v = 0 /\ moment23 v = 0)
                \/ (moment13 v = 0 /\ moment23 v = 0)).
  { unfold exactly_one in one.
    destruct (Z.eqb_spec (moment12 v) 0); destruct (Z.eqb_spec (moment13 v) 0); destruct (Z.eqb_spec (moment23 v) 0);
      simpl in one; try discriminate; tauto. }
  destruct two as [[h k] | [[h k] | [h k]]]; rewrite h, k in rest.
  - (* the first judge stands apart *) left.
    assert (e : size v * count123 v = count1 v * count23 v).
    { apply (Z.mul_reg_l _ _ (size v)); [lia |]. unfold moment23 in rest. lia. }
    unfold moment12, moment13 in h, k.
    destruct (one_apart (size v) (count1 v) (count2 v) (count3 v) (count23 v) (count12 v) (count13 v) (count123 v))
      as [f g]; try lia.
    apply is_key_of_2; assumption.
  - (* the second judge stands apart *) right.
    assert (e : size v * count123 v = count2 v * count13 v).
    { apply (Z.mul_reg_l _ _ (size v)); [lia |]. unfold moment13 in rest. lia. }
    unfold moment12, moment23 in h, k.
    destruct (one_apart (size v) (count2 v) (count1 v) (count3 v) (count13 v) (count12 v) (count23 v) (count123 v))
      as [f g]; try lia.
    apply is_key_of_1; assumption.
  - (* the third judge stands apart *) right.
    assert (e : size v * count123 v = count3 v * count12 v).
    { apply (Z.mul_reg_l _ _ (size v)); [lia |]. unfold moment12 in rest. lia. }
    unfold moment13, moment23 in h, k.
    destruct (one_apart (size v) (count3 v) (count1 v) (count2 v) (count12 v) (count13 v) (count23 v) (count123 v))
      as [f g]; try lia.
    apply is_key_of_1; [assumption | lia | lia].
Qed.

Lemma votes_of_key : forall v, has_independent_key v -> nonnegative v.
Proof. intros v [s [t [ns [nt [e _]]]]]. subst v. unfold nonnegative, add in *. simpl. lia. Qed.

Lemma no_questions : forall v, nonnegative v -> ~ 0 < size v -> v = Table 0 0 0 0 0 0 0 0.
Proof. intros [] low none. unfold nonnegative, size in *. simpl in *. f_equal; lia. Qed.

(** Sound and complete: the function is true exactly if some answer key leaves the errors independent. *)
Theorem decide_iff : forall v, decide v = true <-> has_independent_key v.
Proof.
  intro v. split.
  - unfold decide, key_found. destruct (moments v =? 0); intro h; apply orb_true_iff in h;
      destruct h as [h | h]; exact (is_key_sound _ _ h).
  - intro key. assert (low := votes_of_key v key).
    destruct (Z_lt_dec 0 (size v)) as [positive | none]; [| rewrite (no_questions v low none); reflexivity].
    unfold decide. destruct (Z.eqb_spec (moments v) 0) as [zero | moving]; [| apply key_found_iff; assumption].
    apply orb_true_iff. apply key_of_vanishing_moments; try assumption.
    destruct (contradiction v) eqn:c; [| reflexivity]. exfalso. exact (contradiction_sound v positive c key).
Qed.

(** Votes for which [decide] is false have no such key. *)
Corollary no_key : forall v, decide v = false -> ~ has_independent_key v.
Proof. intros v h key. apply decide_iff in key. congruence. Qed.
