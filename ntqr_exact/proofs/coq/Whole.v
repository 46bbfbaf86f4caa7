(** How dependent the errors must be, in whole numbers: all that a key of two labels could count is tried.

    Of the n questions of the votes a key gives m the label 0. A judge answers 0 to r of these; two judges both answer
    0 to s of them, three to t. These are whole numbers, and correlations near zero leave few of them: the search below
    goes through every m and, judge by judge, every r for which each pair has an s near r r' / m, and each trio an s of
    every pair with a t. If nothing is left, no key has all correlations below delta. *)

From Coq Require Import ZArith QArith Qabs List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Dependence Budget.
Import ListNotations.
Open Scope Z_scope.

(** Every correlation of a pair, and of a trio if trios count, is smaller than delta on both labels. *)
Definition below (judges : nat) (trios : bool) (delta : Q) (test : list question) : Prop :=
  (forall l i j, (l < 2)%nat -> (i < judges)%nat -> (j < judges)%nat -> i <> j ->
     (Qabs (pair_correlation l i 0 j 0 test) < delta)%Q) /\
  (trios = true -> forall l i j k, (l < 2)%nat -> (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat ->
     i <> j -> i <> k -> j <> k -> (Qabs (trio_correlation l i 0 j 0 k 0 test) < delta)%Q).

(** Said without a negation: any other key has a pair or, if trios count, a trio, correlated by delta or more. *)
Lemma not_below : forall judges trios delta test, ~ below judges trios delta test ->
  (exists l i j, (l < 2)%nat /\ (i < judges)%nat /\ (j < judges)%nat /\ i <> j /\
     (delta <= Qabs (pair_correlation l i 0 j 0 test))%Q) \/
  (trios = true /\ exists l i j k, (l < 2)%nat /\ (i < judges)%nat /\ (j < judges)%nat /\ (k < judges)%nat /\
     i <> j /\ i <> k /\ j <> k /\ (delta <= Qabs (trio_correlation l i 0 j 0 k 0 test))%Q).
Proof.
  intros judges trios delta test some_far. set (who := seq 0 judges).
  destruct (some_or_none (fun x => let '(l, (i, j)) := x in
      negb (Nat.eqb i j) && Qle_bool delta (Qabs (pair_correlation l i 0 j 0 test)))
    (list_prod (seq 0 2) (list_prod who who))) as [[[l [i j]] [there far]] | no_pair].
  { left. unfold who in there. rewrite !in_prod_iff, !in_seq in there.
    rewrite andb_true_iff, negb_true_iff, Nat.eqb_neq, Qle_bool_iff in far. exists l, i, j. repeat split; tauto || lia. }
  destruct (some_or_none (fun x => let '(l, (i, (j, k))) := x in
      trios && negb (Nat.eqb i j) && negb (Nat.eqb i k) && negb (Nat.eqb j k)
      && Qle_bool delta (Qabs (trio_correlation l i 0 j 0 k 0 test)))
    (list_prod (seq 0 2) (list_prod who (list_prod who who)))) as [[[l [i [j k]]] [there far]] | no_trio].
  { right. unfold who in there. rewrite !in_prod_iff, !in_seq in there.
    rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, Qle_bool_iff in far.
    split; [tauto |]. exists l, i, j, k. repeat split; tauto || lia. }
  exfalso. apply some_far. split.
  - intros l i j label hi hj n. apply Qnot_le_lt. intro far. specialize (no_pair (l, (i, j))). cbv iota beta in no_pair.
    rewrite (proj2 (Qle_bool_iff _ _) far), (proj2 (Nat.eqb_neq _ _) n) in no_pair. discriminate no_pair.
    unfold who. rewrite !in_prod_iff, !in_seq. repeat split; lia.
  - intros three l i j k label hi hj hk n1 n2 n3. apply Qnot_le_lt. intro far.
    specialize (no_trio (l, (i, (j, k)))). cbv iota beta in no_trio.
    rewrite three, (proj2 (Qle_bool_iff _ _) far), (proj2 (Nat.eqb_neq _ _) n1), (proj2 (Nat.eqb_neq _ _) n2),
      (proj2 (Nat.eqb_neq _ _) n3) in no_trio. discriminate no_trio.
    unfold who. rewrite !in_prod_iff, !in_seq. repeat split; lia.
Qed.

(** Whole numbers from low to high, and division that rounds up. *)
Definition span (range : Z * Z) : list Z :=
  map (fun d => fst range + Z.of_nat d) (seq 0 (Z.to_nat (snd range - fst range + 1))).
Definition ceiling (a b : Z) : Z := - ((- a) / b).
Definition both_ranges (x y : Z * Z) : Z * Z := (Z.max (fst x) (fst y), Z.min (snd x) (snd y)).
Definition inside (z : Z) (range : Z * Z) : Prop := fst range <= z <= snd range.

Section Search.
  Variables (trios : bool) (delta : Q) (n : Z).
  (** How often a judge answered 0, two judges did, and three, of all questions. *)
  Variables (one : nat -> Z) (two : nat -> nat -> Z) (three : nat -> nat -> nat -> Z).
  Let num := Qnum delta.
  Let den := QDen delta.

  (** What is below delta times the square of a number of questions, in whole numbers; and for trios. *)
  Definition slack (m : Z) : Z := (num * (m * m) - 1) / den.
  Definition small3 (m ri rj rk sij sik sjk t : Z) : bool :=
    den * Z.abs (m * m * t - m * (ri * sjk + rj * sik + rk * sij) + 2 * ri * rj * rk) <? num * (m * m * m).

  (** A judge and how often it answered 0 on the label 0. *)
  Definition choice := (nat * Z)%type.

  (** On one label: the room of s, and that of t. *)
  Definition pair_room (m ri rj : Z) : Z * Z :=
    (Z.max (Z.max 0 (ri + rj - m)) (ceiling (ri * rj - slack m) m), Z.min (Z.min ri rj) ((ri * rj + slack m) / m)).
  Definition trio_room (m ri rj rk sij sik sjk : Z) : Z * Z :=
    (Z.max (Z.max 0 (sij + sik - ri)) (Z.max (sij + sjk - rj) (sik + sjk - rk)),
     Z.min (Z.min sij sik) (Z.min sjk (m - ri - rj - rk + sij + sik + sjk))).
  (** The room that the other label leaves of a number, of which there are so many in all. *)
  Definition seen_from (all : Z) (range : Z * Z) : Z * Z := (all - snd range, all - fst range).

  Definition pair_range (m : Z) (x y : choice) : Z * Z :=
    let (i, ri) := x in let (j, rj) := y in
    both_ranges (pair_room m ri rj) (seen_from (two i j) (pair_room (n - m) (one i - ri) (one j - rj))).
  Definition pair_fits (m : Z) (x y : choice) : bool :=
    let range := pair_range m x y in fst range <=? snd range.

  Definition trio_fits (m : Z) (x y z : choice) : bool :=
    let (i, ri) := x in let (j, rj) := y in let (k, rk) := z in
    let q := n - m in let ri' := one i - ri in let rj' := one j - rj in let rk' := one k - rk in
    existsb (fun sij => existsb (fun sik => existsb (fun sjk =>
      let sij' := two i j - sij in let sik' := two i k - sik in let sjk' := two j k - sjk in
      existsb (fun t => negb trios || (small3 m ri rj rk sij sik sjk t && small3 q ri' rj' rk' sij' sik' sjk' (three i j k - t)))
        (span (both_ranges (trio_room m ri rj rk sij sik sjk)
                           (seen_from (three i j k) (trio_room q ri' rj' rk' sij' sik' sjk')))))
      (span (pair_range m y z))) (span (pair_range m x z))) (span (pair_range m x y)).

  (** With d = n r - one m of each judge, the product of two of them is near n^2 times their covariance, times m q. *)
  Definition off (m : Z) (x : choice) : Z := let (i, r) := x in n * r - one i * m.
  Definition middle (m : Z) (j k : nat) : Z := (n * two j k - one j * one k) * (m * (n - m)).
  Definition near (m : Z) : Z := n * ((n - m) * slack m + m * slack (n - m)).

  (** What the answers of one judge leave of another's. *)
  Definition narrowed (m : Z) (k : nat) (x : choice) (range : Z * Z) : Z * Z :=
    let a := off m x in let c := middle m (fst x) k in
    let low := if 0 <? a then c - near m else - (c + near m) in
    let high := if 0 <? a then c + near m else - (c - near m) in
    if a =? 0 then range else
      both_ranges range (ceiling (ceiling low (Z.abs a) + one k * m) n, (high / Z.abs a + one k * m) / n).

  Fixpoint all_pairs {X} (f : X -> X -> bool) (xs : list X) : bool :=
    match xs with [] => true | x :: rest => forallb (f x) rest && all_pairs f rest end.
  Fixpoint all_trios {X} (f : X -> X -> X -> bool) (xs : list X) : bool :=
    match xs with [] => true | x :: rest => all_pairs (f x) rest && all_trios f rest end.

  Fixpoint tried (m : Z) (chosen : list choice) (rest : list nat) : bool :=
    match rest with
    | [] => all_trios (trio_fits m) chosen
    | k :: more =>
        let range := fold_right (narrowed m k) (Z.max 0 (one k - (n - m)), Z.min m (one k)) chosen in
        existsb (fun r => forallb (fun x => pair_fits m x (k, r)) chosen && tried m ((k, r) :: chosen) more) (span range)
    end.

  (** Keys of one label have the correlations of the votes themselves. *)
  Definition one_label (order : list nat) : bool :=
    all_pairs (fun i j => den * Z.abs (n * two i j - one i * one j) <? num * (n * n)) order &&
    (negb trios || all_trios (fun i j k => small3 n (one i) (one j) (one k) (two i j) (two i k) (two j k) (three i j k)) order).

  Definition nothing_left (order : list nat) : bool :=
    negb (one_label order) && forallb (fun m => negb (tried m [] order)) (span (1, n - 1)).
End Search.

(** The checker: the order in which judges are tried is the certificate. *)
Definition whole (judges : nat) (trios : bool) (order : list nat) (delta : Q) (votes : counted) : bool :=
  let sum f := total (fun v => snd v * f (fst v)) votes in
  let places := seq 0 judges in
  let ones := map (fun i => sum (gave i 0)) places in
  let twos := map (fun i => map (fun j => sum (fun p => gave i 0 p * gave j 0 p)) places) places in
  let threes := map (fun i => map (fun j => map (fun k => sum (fun p => gave i 0 p * gave j 0 p * gave k 0 p)) places) places) places in
  (0 <? total snd votes) && different order && forallb (fun i => Nat.ltb i judges) order
  && nothing_left trios delta (total snd votes) (fun i => nth i ones 0) (fun i j => nth j (nth i twos []) 0)
       (fun i j k => nth k (nth j (nth i threes []) []) 0) order.

(** What is in a range is tried, and what holds of all pairs and trios is found to hold. *)
Lemma in_span : forall z range, inside z range -> In z (span range).
Proof.
  intros z [low high] [a b]. simpl in a, b. unfold span. simpl. apply in_map_iff. exists (Z.to_nat (z - low)).
  split; [lia | apply in_seq; lia].
Qed.
Lemma in_both : forall z x y, inside z x -> inside z y -> inside z (both_ranges x y).
Proof. intros z x y hx hy. unfold inside, both_ranges in *. simpl. lia. Qed.
Lemma ceiling_le : forall a b z, 0 < b -> a <= b * z -> ceiling a b <= z.
Proof. intros a b z positive less. unfold ceiling. assert (- z <= (- a) / b) by (apply Z.div_le_lower_bound; lia). lia. Qed.

Lemma all_pairs_hold : forall {X} (f : X -> X -> bool) xs, NoDup xs ->
  (forall x y, In x xs -> In y xs -> x <> y -> f x y = true) -> all_pairs f xs = true.
Proof.
  intros X f xs different. induction different as [| x xs fresh different step]; intro holds; [reflexivity |]. simpl.
  apply andb_true_iff. split.
  - apply forallb_forall. intros y there. apply holds; simpl; try tauto. intros ->. contradiction.
  - apply step. intros y z hy hz. apply holds; simpl; tauto.
Qed.
Lemma all_trios_hold : forall {X} (f : X -> X -> X -> bool) xs, NoDup xs ->
  (forall x y z, In x xs -> In y xs -> In z xs -> x <> y -> x <> z -> y <> z -> f x y z = true) -> all_trios f xs = true.
Proof.
  intros X f xs different. induction different as [| x xs fresh different step]; intro holds; [reflexivity |]. simpl.
  apply andb_true_iff. split.
  - apply all_pairs_hold; [exact different |]. intros y z hy hz n.
    apply holds; simpl; try tauto; intros ->; contradiction.
  - apply step. intros y z w hy hz hw. apply holds; simpl; tauto.
Qed.
