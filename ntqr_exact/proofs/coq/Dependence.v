(** How dependent the errors must be: short certificates of two labels, each an inequality between covariances.

    A key gives each of the two labels, 0 and 1, a correlation of the errors of each pair of judges. If one of the
    inequalities below holds of the votes and a number delta, then every key has some pair of the named judges whose
    correlation on some label is delta or more in size. *)

From Coq Require Import ZArith QArith Qabs Lqa Lia List Bool PeanoNat.
From NtqrExact Require Import Questions.
Import ListNotations.
Open Scope Q_scope.

(** Counts of a test on one label: questions, answers 0 of one judge, and of two together. *)
Definition said_by (i : nat) (p : pattern) : bool := Nat.eqb (nth i p O) 0.
Definition alone (l i : nat) (test : list question) : Z :=
  count (fun q => Nat.eqb (truth q) l && said_by i (answers q)) test.
Definition together (l i j : nat) (test : list question) : Z :=
  count (fun q => Nat.eqb (truth q) l && (said_by i (answers q) && said_by j (answers q))) test.

Definition rate_on (l i : nat) (test : list question) : Q := inject_Z (alone l i test) / inject_Z (questions_of l test).
(** The error correlation on a label: the covariance of the two judges' answers to its questions. *)
Definition correlation (l i j : nat) (test : list question) : Q :=
  inject_Z (together l i j test) / inject_Z (questions_of l test) - rate_on l i test * rate_on l j test.

Definition nearly_independent (delta : Q) (who : list nat) (test : list question) : Prop :=
  forall i j l, In i who -> In j who -> i <> j -> (l < 2)%nat -> Qabs (correlation l i j test) < delta.

(** The same of the votes. *)
Definition votes_sum (h : pattern -> bool) (votes : counted) : Z := total (fun v => (snd v * indicator (h (fst v)))%Z) votes.
Definition frequency (h : pattern -> bool) (votes : counted) : Q :=
  inject_Z (votes_sum h votes) / inject_Z (votes_sum (fun _ => true) votes).
Definition share_of (i : nat) (votes : counted) : Q := frequency (said_by i) votes.
Definition covariance (i j : nat) (votes : counted) : Q :=
  frequency (fun p => said_by i p && said_by j p) votes - share_of i votes * share_of j votes.

(** The inequalities. *)
Definition tetrad (i k j l : nat) (delta : Q) (votes : counted) : bool :=
  let a := Qabs (covariance i k votes) in let b := Qabs (covariance j l votes) in
  let c := Qabs (covariance i j votes) in let d := Qabs (covariance k l votes) in
  Qle_bool delta a && Qle_bool delta b && Qle_bool ((c + delta) * (d + delta)) ((a - delta) * (b - delta)).

Definition sign (x : Q) : Q := if Qle_bool 0 x then 1 else - (1).
Definition heywood (i j k : nat) (delta : Q) (votes : counted) : bool :=
  let a := covariance i k votes in let b := covariance j k votes in let c := covariance i j votes in
  let room := share_of k votes * (1 - share_of k votes) in
  Qle_bool delta (Qabs a) && Qle_bool delta (Qabs b) &&
  Qle_bool ((sign a * sign b * c + delta) * room) ((Qabs a - delta) * (Qabs b - delta)).

(** Judges in a cycle: an odd number of negative covariances, none of them small. *)
Definition negative (x : Q) : bool := negb (Qle_bool 0 x).
Fixpoint around (far : nat -> nat -> bool) (minus : nat -> nat -> bool) (first i : nat) (rest : list nat) : bool * bool :=
  match rest with
  | [] => (far i first && negb (Nat.eqb i first), minus i first)
  | j :: more =>
      let found := around far minus first j more in
      (far i j && negb (Nat.eqb i j) && fst found, xorb (minus i j) (snd found))
  end.
Definition signs (first : nat) (rest : list nat) (delta : Q) (votes : counted) : bool :=
  let found := around (fun i j => Qle_bool delta (Qabs (covariance i j votes)))
                      (fun i j => negative (covariance i j votes)) first first rest in
  fst found && snd found.

(** What follows from covariances that are nearly products. *)
Lemma times_less : forall u v x y : Q, 0 <= u -> 0 <= v -> u < x -> v < y -> u * v < x * y.
Proof.
  intros u v x y pu pv lu lv. assert (0 < (x - u) * y) by (apply Qmult_lt_0_compat; lra).
  assert (0 <= u * (y - v)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma size_of : forall x, (0 <= x /\ Qabs x == x) \/ (x <= 0 /\ Qabs x == - x).
Proof.
  intro x. destruct (Qlt_le_dec x 0) as [h | h].
  - right. split; [lra | apply Qabs_neg; lra].
  - left. split; [lra | apply Qabs_pos; lra].
Qed.

Lemma near_size : forall x t delta, Qabs (x - t) < delta -> Qabs x - delta < Qabs t /\ Qabs t < Qabs x + delta.
Proof.
  intros x t delta near. apply Qabs_Qlt_condition in near.
  destruct (size_of x) as [[? e] | [? e]]; destruct (size_of t) as [[? f] | [? f]];
    rewrite e, f; lra.
Qed.

Section Products.
  Variables (w delta : Q) (d room : nat -> Q) (c : nat -> nat -> Q) (who : list nat).
  Hypothesis low : 0 <= w.
  Hypothesis within : forall k, 0 <= w * (d k * d k) /\ w * (d k * d k) <= room k.
  Hypothesis near : forall i j, In i who -> In j who -> i <> j -> Qabs (c i j - w * (d i * d j)) < delta.

  Lemma no_tetrad : forall i k j l, In i who -> In k who -> In j who -> In l who ->
    i <> k -> j <> l -> i <> j -> k <> l ->
    delta <= Qabs (c i k) -> delta <= Qabs (c j l) ->
    ~ (Qabs (c i j) + delta) * (Qabs (c k l) + delta) <= (Qabs (c i k) - delta) * (Qabs (c j l) - delta).
  Proof.
    intros i k j l ii ik ij il n1 n2 n3 n4 f1 f2 less.
    destruct (near_size _ _ _ (near i k ii ik n1)) as [a _]. destruct (near_size _ _ _ (near j l ij il n2)) as [b _].
    destruct (near_size _ _ _ (near i j ii ij n3)) as [_ e]. destruct (near_size _ _ _ (near k l ik il n4)) as [_ f].
    set (x := w * (d i * d k)) in *. set (y := w * (d j * d l)) in *.
    set (u := w * (d i * d j)) in *. set (v := w * (d k * d l)) in *.
    assert (same : Qabs x * Qabs y == Qabs u * Qabs v).
    { rewrite <- !Qabs_Qmult. apply Qabs_wd. unfold x, y, u, v. ring. }
    assert (up := times_less (Qabs (c i k) - delta) (Qabs (c j l) - delta) (Qabs x) (Qabs y) ltac:(lra) ltac:(lra) a b).
    assert (down := times_less (Qabs u) (Qabs v) _ _ (Qabs_nonneg u) (Qabs_nonneg v) e f). lra.
  Qed.

  Lemma sign_size : forall x, Qabs x == sign x * x /\ (sign x == 1 \/ sign x == - (1)).
  Proof.
    intro x. unfold sign. destruct (Qle_bool 0 x) eqn:e.
    - apply Qle_bool_iff in e. rewrite Qabs_pos by exact e. split; [ring | left; reflexivity].
    - assert (x < 0) by (apply Qnot_le_lt; intro h; apply Qle_bool_iff in h; congruence).
      rewrite Qabs_neg by lra. split; [ring | right; reflexivity].
  Qed.

  Lemma near_signed : forall x t s, Qabs (x - t) < delta -> s == 1 \/ s == - (1) ->
    s * x - delta < s * t /\ s * t < s * x + delta.
  Proof. intros x t s h [e | e]; apply Qabs_Qlt_condition in h; rewrite e; lra. Qed.

  Lemma no_heywood : forall i j k, In i who -> In j who -> In k who -> i <> j -> i <> k -> j <> k ->
    delta <= Qabs (c i k) -> delta <= Qabs (c j k) ->
    ~ (sign (c i k) * sign (c j k) * c i j + delta) * room k <= (Qabs (c i k) - delta) * (Qabs (c j k) - delta).
  Proof.
    intros i j k ii ij ik n1 n2 n3 f1 f2 less.
    destruct (sign_size (c i k)) as [e s]. destruct (sign_size (c j k)) as [f t].
    destruct (near_signed _ _ _ (near i k ii ik n2) s) as [a _]. destruct (near_signed _ _ _ (near j k ij ik n3) t) as [b _].
    rewrite <- e in a. rewrite <- f in b.
    assert (up := times_less (Qabs (c i k) - delta) (Qabs (c j k) - delta) _ _ ltac:(lra) ltac:(lra) a b).
    assert (st : sign (c i k) * sign (c j k) == 1 \/ sign (c i k) * sign (c j k) == - (1)).
    { destruct s as [s | s]; destruct t as [t | t]; rewrite s, t; [left | right | right | left]; reflexivity. }
    destruct (near_signed _ _ _ (near i j ii ij n1) st) as [_ g].
    destruct (within k) as [p q].
    set (x := sign (c i k) * sign (c j k) * (w * (d i * d j))) in *.
    assert (same : sign (c i k) * (w * (d i * d k)) * (sign (c j k) * (w * (d j * d k))) == x * (w * (d k * d k)))
      by (unfold x; ring).
    rewrite same in up. assert (positive : 0 <= (Qabs (c i k) - delta) * (Qabs (c j k) - delta))
      by (apply Qmult_le_0_compat; lra).
    destruct (Qlt_le_dec 0 x) as [h | h].
    - assert (0 <= x * (room k - w * (d k * d k))) by (apply Qmult_le_0_compat; lra).
      assert (0 <= (sign (c i k) * sign (c j k) * c i j + delta - x) * room k) by (apply Qmult_le_0_compat; lra). lra.
    - assert (0 <= - x * (w * (d k * d k))) by (apply Qmult_le_0_compat; lra). lra.
  Qed.

  Lemma negative_iff : forall x, (negative x = true /\ x < 0) \/ (negative x = false /\ 0 <= x).
  Proof.
    intro x. unfold negative. destruct (Qle_bool 0 x) eqn:e; [right | left]; split; try reflexivity.
    - apply Qle_bool_iff. exact e.
    - apply Qnot_le_lt. intro h. apply Qle_bool_iff in h. congruence.
  Qed.

  Lemma sign_of_product : forall i j, In i who -> In j who -> i <> j -> delta <= Qabs (c i j) ->
    negative (c i j) = xorb (negative (d i)) (negative (d j)).
  Proof.
    intros i j ii ij n far. assert (h := near i j ii ij n). apply Qabs_Qlt_condition in h.
    assert (t : (0 <= c i j -> 0 < w * (d i * d j)) /\ (c i j < 0 -> w * (d i * d j) < 0)).
    { split; intro s; [rewrite Qabs_pos in far by exact s | rewrite Qabs_neg in far by lra]; lra. }
    destruct t as [up down].
    destruct (negative_iff (c i j)) as [[-> s] | [-> s]]; destruct (negative_iff (d i)) as [[-> x] | [-> x]];
      destruct (negative_iff (d j)) as [[-> y] | [-> y]]; try reflexivity; exfalso;
      [specialize (down s) | specialize (down s) | specialize (up s) | specialize (up s)].
    - assert (0 <= w * (- d i * - d j)) by (repeat apply Qmult_le_0_compat; lra). lra.
    - assert (0 <= w * (d i * d j)) by (repeat apply Qmult_le_0_compat; lra). lra.
    - assert (0 <= w * (- d i * d j)) by (repeat apply Qmult_le_0_compat; lra). lra.
    - assert (0 <= w * (d i * - d j)) by (repeat apply Qmult_le_0_compat; lra). lra.
  Qed.

  Lemma around_is : forall rest first i, In first who -> In i who -> (forall j, In j rest -> In j who) ->
    fst (around (fun i j => Qle_bool delta (Qabs (c i j))) (fun i j => negative (c i j)) first i rest) = true ->
    snd (around (fun i j => Qle_bool delta (Qabs (c i j))) (fun i j => negative (c i j)) first i rest)
      = xorb (negative (d i)) (negative (d first)).
  Proof.
    induction rest as [| j rest step]; intros first i f ii others holds; simpl in *.
    - apply andb_true_iff in holds. destruct holds as [far n]. apply Qle_bool_iff in far.
      apply negb_true_iff, Nat.eqb_neq in n. apply sign_of_product; assumption.
    - apply andb_true_iff in holds. destruct holds as [here there]. apply andb_true_iff in here. destruct here as [far n].
      apply Qle_bool_iff in far. apply negb_true_iff, Nat.eqb_neq in n.
      rewrite (step first j f (others j (or_introl eq_refl)) (fun x h => others x (or_intror h)) there).
      rewrite (sign_of_product i j ii (others j (or_introl eq_refl)) n far).
      destruct (negative (d i)), (negative (d j)), (negative (d first)); reflexivity.
  Qed.
End Products.

(** The votes of a key: every covariance is a product plus a mean of the correlations. *)
Section Key.
  Variables (votes : counted) (test : list question).
  Hypothesis of_votes : test_of 2 votes test.
  Hypothesis some : (0 < votes_sum (fun _ => true) votes)%Z.
  Let m0 := questions_of 0 test.
  Let m1 := questions_of 1 test.

  Lemma split_by_label : forall h : pattern -> bool,
    votes_sum h votes = (count (fun q => Nat.eqb (truth q) 0 && h (answers q)) test
                         + count (fun q => Nat.eqb (truth q) 1 && h (answers q)) test)%Z.
  Proof.
    intro h. unfold votes_sum. rewrite <- (total_by_votes 2 votes test of_votes (fun p => indicator (h p))).
    unfold count. rewrite <- total_plus. apply total_same. intros q there.
    assert (l := proj2 of_votes q there).
    destruct (truth q) as [| [| n]]; simpl; [| | lia]; destruct (h (answers q)); reflexivity.
  Qed.

  Lemma questions_are : forall l, count (fun q => Nat.eqb (truth q) l && true) test = questions_of l test.
  Proof. intro l. apply total_same. intros q _. rewrite andb_true_r. reflexivity. Qed.

  Lemma sum_is : votes_sum (fun _ => true) votes = (m0 + m1)%Z.
  Proof. rewrite split_by_label, !questions_are. reflexivity. Qed.

  Lemma at_most : forall l (h : pattern -> bool),
    (0 <= count (fun q => Nat.eqb (truth q) l && h (answers q)) test <= questions_of l test)%Z.
  Proof.
    intros l h. split; [apply count_low |]. apply count_le. intro q. rewrite andb_true_iff. tauto.
  Qed.

  Definition weight0 : Q := inject_Z m0 / inject_Z (m0 + m1).
  Definition gap (i : nat) : Q := rate_on 0 i test - rate_on 1 i test.

  Lemma not_zero : forall z : Z, z <> 0%Z -> ~ inject_Z z == 0.
  Proof. intros z n e. apply n. unfold Qeq in e. simpl in e. lia. Qed.

  Lemma frequency_mixed : forall h, frequency h votes ==
    weight0 * (inject_Z (count (fun q => Nat.eqb (truth q) 0 && h (answers q)) test) / inject_Z m0)
    + (1 - weight0) * (inject_Z (count (fun q => Nat.eqb (truth q) 1 && h (answers q)) test) / inject_Z m1).
  Proof.
    intro h. unfold frequency, weight0. rewrite (split_by_label h), sum_is.
    assert (a0 := at_most 0 h). assert (a1 := at_most 1 h). fold m0 in a0. fold m1 in a1.
    assert (n := some). rewrite sum_is in n.
    destruct (Z.eq_dec m0 0) as [e0 | e0]; [| destruct (Z.eq_dec m1 0) as [e1 | e1]].
    - rewrite e0 in *. replace (count (fun q => Nat.eqb (truth q) 0 && h (answers q)) test) with 0%Z by lia.
      rewrite !inject_Z_plus. change (inject_Z 0) with 0.
      assert (x := not_zero m1 ltac:(lia)).
      assert (w : 0 / (0 + inject_Z m1) == 0) by (unfold Qdiv; ring). rewrite w.
      transitivity (inject_Z (count (fun q => Nat.eqb (truth q) 1 && h (answers q)) test) / inject_Z m1);
        [field; exact x | unfold Qdiv; ring].
    - rewrite e1 in *. replace (count (fun q => Nat.eqb (truth q) 1 && h (answers q)) test) with 0%Z by lia.
      rewrite !inject_Z_plus. change (inject_Z 0) with 0.
      assert (x := not_zero m0 e0).
      assert (w : inject_Z m0 / (inject_Z m0 + 0) == 1) by (field; exact x).
      rewrite w. transitivity (inject_Z (count (fun q => Nat.eqb (truth q) 0 && h (answers q)) test) / inject_Z m0);
        [field; exact x | unfold Qdiv; ring].
    - rewrite !inject_Z_plus. assert (x := not_zero m0 e0). assert (y := not_zero m1 e1).
      assert (z : ~ inject_Z m0 + inject_Z m1 == 0) by (rewrite <- inject_Z_plus; apply not_zero; lia).
      field. repeat split; assumption.
  Qed.

  Lemma weight_within : 0 <= weight0 /\ weight0 <= 1.
  Proof.
    unfold weight0. assert (n := some). rewrite sum_is in n.
    assert (a : (0 <= m0)%Z) by apply count_low. assert (b : (0 <= m1)%Z) by apply count_low.
    assert (p : 0 < inject_Z (m0 + m1)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact n).
    split.
    - apply Qle_shift_div_l; [exact p |]. rewrite Qmult_0_l. change 0 with (inject_Z 0). rewrite <- Zle_Qle. exact a.
    - apply Qle_shift_div_r; [exact p |]. rewrite Qmult_1_l, <- Zle_Qle. lia.
  Qed.

  Lemma rate_within : forall l i, 0 <= rate_on l i test /\ rate_on l i test <= 1.
  Proof.
    intros l i. unfold rate_on. assert (a := at_most l (said_by i)). fold (alone l i test) in a.
    destruct (Z.eq_dec (questions_of l test) 0) as [e | e].
    - rewrite e in *. replace (alone l i test) with 0%Z by lia. split; vm_compute; discriminate.
    - assert (p : 0 < inject_Z (questions_of l test)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
      split; [apply Qle_shift_div_l | apply Qle_shift_div_r]; try exact p;
        rewrite ?Qmult_0_l, ?Qmult_1_l; try (change 0 with (inject_Z 0)); rewrite <- Zle_Qle; lia.
  Qed.

  Lemma covariance_is : forall i j, covariance i j votes ==
    weight0 * (1 - weight0) * (gap i * gap j)
    + (weight0 * correlation 0 i j test + (1 - weight0) * correlation 1 i j test).
  Proof.
    intros i j. unfold covariance, share_of. rewrite !frequency_mixed.
    fold (alone 0 i test). fold (alone 1 i test). fold (alone 0 j test). fold (alone 1 j test).
    fold (together 0 i j test). fold (together 1 i j test).
    unfold gap, correlation, rate_on. fold m0. fold m1. ring.
  Qed.

  Lemma mean_small : forall w x y delta, 0 <= w -> w <= 1 -> Qabs x < delta -> Qabs y < delta ->
    Qabs (w * x + (1 - w) * y) < delta.
  Proof.
    intros w x y delta low high nx ny. apply Qabs_Qlt_condition in nx. apply Qabs_Qlt_condition in ny.
    apply Qabs_Qlt_condition.
    assert (mixed : forall u v, 0 < u -> 0 < v -> 0 < w * u + (1 - w) * v).
    { intros u v pu pv. destruct (Qlt_le_dec 0 w) as [h | h].
      - assert (0 < w * u) by (apply Qmult_lt_0_compat; assumption).
        assert (0 <= (1 - w) * v) by (apply Qmult_le_0_compat; lra). lra.
      - assert (z : w == 0) by lra. rewrite z. lra. }
    assert (up := mixed (delta - x) (delta - y) ltac:(lra) ltac:(lra)).
    assert (down := mixed (delta + x) (delta + y) ltac:(lra) ltac:(lra)). lra.
  Qed.

  Let w := weight0 * (1 - weight0).

  Lemma w_low : 0 <= w.
  Proof. destruct weight_within. apply Qmult_le_0_compat; lra. Qed.

  Lemma near_product : forall delta who, nearly_independent delta who test ->
    forall i j, In i who -> In j who -> i <> j -> Qabs (covariance i j votes - w * (gap i * gap j)) < delta.
  Proof.
    intros delta who near i j ii ij n. destruct weight_within as [low high].
    setoid_replace (covariance i j votes - w * (gap i * gap j))
      with (weight0 * correlation 0 i j test + (1 - weight0) * correlation 1 i j test)
      by (rewrite covariance_is; unfold w; ring).
    apply mean_small; try assumption; apply near; try assumption; lia.
  Qed.

  Lemma gap_within : forall k, 0 <= w * (gap k * gap k) /\
    w * (gap k * gap k) <= share_of k votes * (1 - share_of k votes).
  Proof.
    intro k. assert (wl := w_low). destruct weight_within as [low high].
    destruct (rate_within 0 k) as [a b]. destruct (rate_within 1 k) as [c d]. split.
    - apply Qmult_le_0_compat; [exact wl |]. destruct (Qlt_le_dec (gap k) 0) as [h | h].
      + setoid_replace (gap k * gap k) with (- gap k * - gap k) by ring. apply Qmult_le_0_compat; lra.
      + apply Qmult_le_0_compat; exact h.
    - assert (e : share_of k votes == weight0 * rate_on 0 k test + (1 - weight0) * rate_on 1 k test)
        by (unfold share_of; rewrite frequency_mixed; reflexivity).
      rewrite e. unfold w, gap. set (x := rate_on 0 k test) in *. set (y := rate_on 1 k test) in *.
      assert (0 <= weight0 * (x * (1 - x))) by (apply Qmult_le_0_compat; [| apply Qmult_le_0_compat]; lra).
      assert (0 <= (1 - weight0) * (y * (1 - y))) by (apply Qmult_le_0_compat; [| apply Qmult_le_0_compat]; lra). lra.
  Qed.
End Key.

Fixpoint different (judges : list nat) : bool :=
  match judges with [] => true | j :: rest => negb (existsb (Nat.eqb j) rest) && different rest end.
Lemma different_pairs : forall judges, different judges = true -> NoDup judges.
Proof.
  induction judges as [| j rest step]; intro holds; constructor; simpl in holds; apply andb_true_iff in holds;
    destruct holds as [fresh others]; [| apply step; exact others].
  intro there. apply negb_true_iff in fresh. assert (existsb (Nat.eqb j) rest = true); [| congruence].
  apply existsb_exists. exists j. split; [exact there | apply Nat.eqb_refl].
Qed.

Ltac judges_of h := apply different_pairs in h;
  repeat match goal with k : NoDup (_ :: _) |- _ => inversion k; clear k; subst end; simpl in *.
Ltac parts h := rewrite !andb_true_iff in h; rewrite !Qle_bool_iff in h.

(** Every key of these votes has a pair of these judges whose errors are correlated by delta or more on some label. *)
Definition dependent (delta : Q) (who : list nat) (votes : counted) : Prop :=
  forall test, test_of 2 votes test -> ~ nearly_independent delta who test.

(** Said without a negation: such a key has such a pair. *)
Lemma dependent_pair : forall delta who votes test, dependent delta who votes -> test_of 2 votes test ->
  exists i j l, In i who /\ In j who /\ i <> j /\ (l < 2)%nat /\ delta <= Qabs (correlation l i j test).
Proof.
  intros delta who votes test proven of_votes.
  destruct (some_or_none (fun x => negb (Nat.eqb (fst (fst x)) (snd (fst x)))
      && Qle_bool delta (Qabs (correlation (snd x) (fst (fst x)) (snd (fst x)) test)))
    (list_prod (list_prod who who) (seq 0 2))) as [[[[i j] l] [there far]] | none].
  - apply in_prod_iff in there. destruct there as [there label]. apply in_prod_iff in there. apply in_seq in label.
    apply andb_true_iff in far. simpl in far. rewrite negb_true_iff, Nat.eqb_neq, Qle_bool_iff in far.
    exists i, j, l. repeat split; tauto || lia.
  - exfalso. apply (proven test of_votes). intros i j l ii ij n label. apply Qnot_le_lt. intro far.
    assert (h := none (i, j, l)). simpl fst in h. simpl snd in h.
    rewrite (proj2 (Qle_bool_iff _ _) far), (proj2 (Nat.eqb_neq _ _) n) in h. discriminate h.
    rewrite !in_prod_iff, in_seq. repeat split; try assumption; lia.
Qed.

(** If the covariances of four judges break (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) by more than delta allows, every key
    has two of them whose errors on some label are correlated by delta or more. *)
Theorem tetrad_sound : forall i k j l delta votes, (0 < votes_sum (fun _ => true) votes)%Z ->
  different [i; k; j; l] = true -> tetrad i k j l delta votes = true -> dependent delta [i; k; j; l] votes.
Proof.
  intros i k j l delta votes some others holds test of_votes near. unfold tetrad in holds. parts holds.
  destruct holds as [[f1 f2] less]. judges_of others.
  apply (no_tetrad _ delta (gap test) (fun i j => covariance i j votes) [i; k; j; l]
    (near_product votes test of_votes some delta _ near) i k j l); try assumption; simpl; try tauto; intro; subst; tauto.
Qed.

(** If the covariances of three judges break (w_i w_k)(w_j w_k) = w_i w_j w_k^2, where w_k^2 is at most f_k (1 - f_k), by
    more than delta allows, every key has two of them whose errors on some label are correlated by delta or more. *)
Theorem heywood_sound : forall i j k delta votes, (0 < votes_sum (fun _ => true) votes)%Z ->
  different [i; j; k] = true -> heywood i j k delta votes = true -> dependent delta [i; j; k] votes.
Proof.
  intros i j k delta votes some others holds test of_votes near. unfold heywood in holds. parts holds.
  destruct holds as [[f1 f2] less]. judges_of others.
  apply (no_heywood _ delta (gap test) (fun k => share_of k votes * (1 - share_of k votes))
    (fun i j => covariance i j votes) [i; j; k] (gap_within votes test of_votes some)
    (near_product votes test of_votes some delta _ near) i j k); try assumption; simpl; try tauto; intro; subst; tauto.
Qed.

(** If the covariances around a cycle of judges are delta or more in size and an odd number of them is negative, every key
    has two of these judges whose errors on some label are correlated by delta or more. *)
Theorem signs_sound : forall first rest delta votes, (0 < votes_sum (fun _ => true) votes)%Z ->
  signs first rest delta votes = true -> dependent delta (first :: rest) votes.
Proof.
  intros first rest delta votes some holds test of_votes near. unfold signs in holds.
  apply andb_true_iff in holds. destruct holds as [far odd].
  rewrite (around_is _ delta (gap test) (fun i j => covariance i j votes) (first :: rest)
    (w_low votes test of_votes some) (near_product votes test of_votes some delta _ near) rest first first) in odd;
    simpl; try tauto; try exact far.
  destruct (negative (gap test first)); discriminate.
Qed.
