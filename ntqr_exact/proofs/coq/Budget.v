(** Keys within a budget of dependence, for any number of judges and labels.

    A rate is the share of the questions of a label to which a judge gave an answer. Error correlations are central
    moments of giving answers, over the questions of one label. A key is within a budget if none of them exceeds it. *)

From Coq Require Import ZArith QArith Qabs Lqa List Lia Bool PeanoNat.
From NtqrExact Require Import Questions.
Import ListNotations.
Open Scope Z_scope.

(** 1 if judge i gave the answer r, else 0. *)
Definition gave (i r : nat) (p : pattern) : Z := indicator (Nat.eqb (nth i p O) r).

(** Sums over the questions of label l. *)
Definition on (l : nat) (f : pattern -> Z) (test : list question) : Z :=
  total (fun q => indicator (Nat.eqb (truth q) l) * f (answers q)) test.
Definition mean_on (l : nat) (f : pattern -> Q) (test : list question) : Q :=
  fold_right (fun q rest => inject_Z (indicator (Nat.eqb (truth q) l)) * f (answers q) + rest)%Q 0%Q test
  / inject_Z (questions_of l test).

Definition rate (l i r : nat) (test : list question) : Q := mean_on l (fun p => inject_Z (gave i r p)) test.
Definition beyond (l i r : nat) (test : list question) (p : pattern) : Q := inject_Z (gave i r p) - rate l i r test.
Definition pair_correlation (l i r j s : nat) (test : list question) : Q :=
  mean_on l (fun p => beyond l i r test p * beyond l j s test p)%Q test.
Definition trio_correlation (l i r j s k t : nat) (test : list question) : Q :=
  mean_on l (fun p => beyond l i r test p * beyond l j s test p * beyond l k t test p)%Q test.

(** Answers to look at: with two labels, if there are no other answers, the second is what is left by the first. *)
Definition named (labels : nat) : list nat := if Nat.eqb labels 2 then [O] else seq 0 labels.

(** No correlation of pairs, or of trios, exceeds delta; which of them count, two booleans say. *)
Definition within (labels judges : nat) (pairs trios : bool) (delta : Q) (test : list question) : Prop :=
  (pairs = true -> forall l i r j s, (l < labels)%nat -> (i < j < judges)%nat -> In r (named labels) ->
     In s (named labels) -> (Qabs (pair_correlation l i r j s test) <= delta)%Q) /\
  (trios = true -> forall l i r j s k t, (l < labels)%nat -> (i < j)%nat -> (j < k < judges)%nat ->
     In r (named labels) -> In s (named labels) -> In t (named labels) ->
     (Qabs (trio_correlation l i r j s k t test) <= delta)%Q).

(** Said without a negation: a key that is not within the budget has a correlation that exceeds it. *)
Lemma not_within : forall labels judges pairs trios delta test, ~ within labels judges pairs trios delta test ->
  (pairs = true /\ exists l i r j s, (l < labels)%nat /\ (i < j < judges)%nat /\ In r (named labels) /\
     In s (named labels) /\ (delta < Qabs (pair_correlation l i r j s test))%Q) \/
  (trios = true /\ exists l i r j s k t, (l < labels)%nat /\ (i < j)%nat /\ (j < k < judges)%nat /\
     In r (named labels) /\ In s (named labels) /\ In t (named labels) /\
     (delta < Qabs (trio_correlation l i r j s k t test))%Q).
Proof.
  intros labels judges pairs trios delta test outside.
  set (cells := list_prod (seq 0 judges) (named labels)).
  set (exceeds := fun x => negb (Qle_bool (Qabs x) delta)).
  assert (over : forall x, exceeds x = true -> (delta < Qabs x)%Q).
  { intros x h. apply Qnot_le_lt. intro k. apply Qle_bool_iff in k. unfold exceeds in h. rewrite k in h. discriminate. }
  assert (under : forall x, exceeds x = false -> (Qabs x <= delta)%Q)
    by (intros x h; apply negb_false_iff, Qle_bool_iff in h; exact h).
  destruct (some_or_none (fun x => let '(l, ((i, r), (j, s))) := x in
      pairs && Nat.ltb i j && exceeds (pair_correlation l i r j s test))
    (list_prod (seq 0 labels) (list_prod cells cells))) as [[[l [[i r] [j s]]] [there far]] | no_pair].
  { left. unfold cells in there. rewrite !in_prod_iff, !in_seq in there.
    rewrite !andb_true_iff, Nat.ltb_lt in far. split; [tauto |]. exists l, i, r, j, s.
    repeat split; try tauto; try lia. apply over. tauto. }
  destruct (some_or_none (fun x => let '(l, ((i, r), ((j, s), (k, t)))) := x in
      trios && Nat.ltb i j && Nat.ltb j k && exceeds (trio_correlation l i r j s k t test))
    (list_prod (seq 0 labels) (list_prod cells (list_prod cells cells)))) as [[[l [[i r] [[j s] [k t]]]] [there far]] | no_trio].
  { right. unfold cells in there. rewrite !in_prod_iff, !in_seq in there.
    rewrite !andb_true_iff, !Nat.ltb_lt in far. split; [tauto |]. exists l, i, r, j, s, k, t.
    repeat split; try tauto; try lia. apply over. tauto. }
  exfalso. apply outside. split.
  - intros two l i r j s label order nr ns. apply under. specialize (no_pair (l, ((i, r), (j, s)))). cbv iota beta in no_pair.
    rewrite two, (proj2 (Nat.ltb_lt i j)) in no_pair by lia. apply no_pair. unfold cells.
    rewrite !in_prod_iff, !in_seq. repeat split; try assumption; lia.
  - intros three l i r j s k t label order order' nr ns nt. apply under.
    specialize (no_trio (l, ((i, r), ((j, s), (k, t))))). cbv iota beta in no_trio.
    rewrite three, (proj2 (Nat.ltb_lt i j)), (proj2 (Nat.ltb_lt j k)) in no_trio by lia. apply no_trio. unfold cells.
    rewrite !in_prod_iff, !in_seq. repeat split; try assumption; lia.
Qed.

(** How often judge i gave the answer r, of all questions. *)
Definition given (i r : nat) (votes : counted) : Z := total (fun v => snd v * gave i r (fst v)) votes.
Definition share (i r : nat) (votes : counted) : Q := inject_Z (given i r votes) / inject_Z (total snd votes).

(** A judge no worse than chance gives a label on its own questions at least as often as on all. *)
Definition no_worse_than_chance (labels : nat) (votes : counted) (test : list question) (i : nat) : Prop :=
  forall r, In r (named labels) -> 0 < questions_of r test -> (share i r votes <= rate r i r test)%Q.

(** A condition on counts: a weighted sum of the questions of labels, and of answers on them, is not negative. *)
Inductive term := Asked (weight : Z) (l : nat) | Gave (weight : Z) (l i r : nat).
Definition amount (c : term) (test : list question) : Z :=
  match c with Asked w l => w * questions_of l test | Gave w l i r => w * on l (gave i r) test end.
Definition meets (test : list question) (condition : list term) : Prop := 0 <= total (fun c => amount c test) condition.

Lemma gave_within : forall i r p, 0 <= gave i r p <= 1.
Proof. intros. unfold gave, indicator. destruct (Nat.eqb (nth i p O) r); lia. Qed.

(** Sums over the questions of a label. *)
Lemma questions_on : forall l test, questions_of l test = on l (fun _ => 1) test.
Proof. intros. apply total_same. intros. lia. Qed.

Lemma on_empty : forall l f test, questions_of l test = 0 -> on l f test = 0.
Proof.
  intros l f test none. apply total_zero. intros q there.
  destruct (Nat.eqb (truth q) l) eqn:e; [| unfold indicator; lia].
  assert (h := count_positive (fun q => Nat.eqb (truth q) l) q test there e). unfold questions_of in none. lia.
Qed.

Lemma on_le : forall l f g test, (forall p, f p <= g p) -> on l f test <= on l g test.
Proof.
  intros l f g test less. apply total_le. intros q _. specialize (less (answers q)).
  unfold indicator. destruct (Nat.eqb (truth q) l); lia.
Qed.

Lemma on_zero : forall l test, on l (fun _ => 0) test = 0.
Proof. intros. apply total_zero. intros. lia. Qed.

Lemma on_same : forall l f g test, (forall p, f p = g p) -> on l f test = on l g test.
Proof. intros l f g test same. apply total_same. intros. rewrite same. reflexivity. Qed.

Ltac by_questions test := induction test as [| q test step]; [unfold on, total; simpl; ring |];
  unfold on, total in *; cbn [fold_right]; rewrite step; ring.

Lemma affine_sum : forall l c e (f : pattern -> Z) test,
  on l (fun p => c + e * f p) test = c * questions_of l test + e * on l f test.
Proof. intros. rewrite questions_on. by_questions test. Qed.

Lemma pair_sum : forall l e u v (f g : pattern -> Z) test, on l (fun p => (e * f p - u) * (e * g p - v)) test =
  e * e * on l (fun p => f p * g p) test - e * v * on l f test - e * u * on l g test + u * v * on l (fun _ => 1) test.
Proof. intros. by_questions test. Qed.

Lemma trio_sum : forall l e u v w (f g h : pattern -> Z) test,
  on l (fun p => (e * f p - u) * (e * g p - v) * (e * h p - w)) test =
  e * e * e * on l (fun p => f p * g p * h p) test
  - e * e * (w * on l (fun p => f p * g p) test + v * on l (fun p => f p * h p) test + u * on l (fun p => g p * h p) test)
  + e * (v * w * on l f test + u * w * on l g test + u * v * on l h test) - u * v * w * on l (fun _ => 1) test.
Proof. intros. by_questions test. Qed.

Lemma by_labels : forall labels votes test, test_of labels votes test -> forall f : pattern -> Z,
  total (fun l => on l f test) (seq 0 labels) = total (fun v => snd v * f (fst v)) votes.
Proof.
  intros labels votes test of_votes f. rewrite <- (total_by_votes labels votes test of_votes f).
  symmetry. exact (total_by_labels labels votes test of_votes (fun _ q => f (answers q))).
Qed.

(** Correlations without denominators: m is the number of questions of the label. *)
Section Whole.
  Variables (l : nat) (test : list question).
  Let m := questions_of l test.
  Definition pair_moment (i r j s : nat) : Z :=
    m * on l (fun p => gave i r p * gave j s p) test - on l (gave i r) test * on l (gave j s) test.
  Definition trio_moment (i r j s k t : nat) : Z :=
    m * m * on l (fun p => gave i r p * gave j s p * gave k t p) test
    - m * (on l (gave i r) test * on l (fun p => gave j s p * gave k t p) test
           + on l (gave j s) test * on l (fun p => gave i r p * gave k t p) test
           + on l (gave k t) test * on l (fun p => gave i r p * gave j s p) test)
    + 2 * on l (gave i r) test * on l (gave j s) test * on l (gave k t) test.

  Hypothesis some : 0 < m.
  Open Scope Q_scope.

  Lemma some_in_q : ~ inject_Z m == 0.
  Proof. intro e. unfold Qeq in e. simpl in e. lia. Qed.

  Let sum (f : pattern -> Q) (test : list question) : Q :=
    fold_right (fun q rest => inject_Z (indicator (Nat.eqb (truth q) l)) * f (answers q) + rest)%Q 0%Q test.

  Ltac by_questions_in_q given := unfold sum, on, total;
    induction given as [| q given step]; cbn [fold_right]; [change (inject_Z 0) with 0; ring |];
    rewrite step, ?inject_Z_plus, ?inject_Z_mult; change (inject_Z 1) with 1; ring.

  Lemma sum_one : forall i r given, sum (fun p => inject_Z (gave i r p)) given == inject_Z (on l (gave i r) given).
  Proof. intros i r given. by_questions_in_q given. Qed.

  Lemma sum_pair : forall i r j s a b given,
    sum (fun p => (inject_Z (gave i r p) - a) * (inject_Z (gave j s p) - b)) given ==
    inject_Z (on l (fun p => gave i r p * gave j s p)%Z given) - a * inject_Z (on l (gave j s) given)
    - b * inject_Z (on l (gave i r) given) + a * b * inject_Z (on l (fun _ => 1%Z) given).
  Proof. intros i r j s a b given. by_questions_in_q given. Qed.

  Lemma sum_trio : forall i r j s k t a b c given,
    sum (fun p => (inject_Z (gave i r p) - a) * (inject_Z (gave j s p) - b) * (inject_Z (gave k t p) - c)) given ==
    inject_Z (on l (fun p => gave i r p * gave j s p * gave k t p)%Z given)
    - a * inject_Z (on l (fun p => gave j s p * gave k t p)%Z given)
    - b * inject_Z (on l (fun p => gave i r p * gave k t p)%Z given)
    - c * inject_Z (on l (fun p => gave i r p * gave j s p)%Z given)
    + a * b * inject_Z (on l (gave k t) given) + a * c * inject_Z (on l (gave j s) given)
    + b * c * inject_Z (on l (gave i r) given) - a * b * c * inject_Z (on l (fun _ => 1%Z) given).
  Proof. intros i r j s k t a b c given. by_questions_in_q given. Qed.

  Lemma rate_is : forall i r, rate l i r test == inject_Z (on l (gave i r) test) / inject_Z m.
  Proof. intros. unfold rate, mean_on. fold (sum (fun p => inject_Z (gave i r p)) test). rewrite sum_one. reflexivity. Qed.

  Lemma pair_is : forall i r j s, pair_correlation l i r j s test * (inject_Z m * inject_Z m)
    == inject_Z (pair_moment i r j s).
  Proof.
    intros. unfold pair_correlation, mean_on, beyond.
    fold (sum (fun p => (inject_Z (gave i r p) - rate l i r test) * (inject_Z (gave j s p) - rate l j s test)) test).
    rewrite sum_pair, !rate_is, <- questions_on. unfold pair_moment, Z.sub.
    rewrite !inject_Z_plus, !inject_Z_opp, !inject_Z_mult. fold m. field. exact some_in_q.
  Qed.

  Lemma trio_is : forall i r j s k t, trio_correlation l i r j s k t test * (inject_Z m * inject_Z m * inject_Z m)
    == inject_Z (trio_moment i r j s k t).
  Proof.
    intros. unfold trio_correlation, mean_on, beyond.
    fold (sum (fun p => (inject_Z (gave i r p) - rate l i r test) * (inject_Z (gave j s p) - rate l j s test)
                        * (inject_Z (gave k t p) - rate l k t test)) test).
    rewrite sum_trio, !rate_is, <- questions_on. unfold trio_moment, Z.sub.
    rewrite !inject_Z_plus, !inject_Z_opp, !inject_Z_mult, !inject_Z_plus, !inject_Z_mult.
    change (inject_Z 2) with 2. fold m. field. exact some_in_q.
  Qed.

  Open Scope Z_scope.
  (** A bound delta of x/n, as whole numbers. *)
  Lemma bound_in_z : forall (x : Q) (n y : Z) delta, 0 < n -> (x * inject_Z n == inject_Z y)%Q -> (Qabs x <= delta)%Q ->
    QDen delta * Z.abs y <= Qnum delta * n.
  Proof.
    intros x n y delta positive e small. apply Qabs_Qle_condition in small. destruct small as [low high].
    assert (p : (0 < inject_Z n)%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact positive).
    assert (up : (inject_Z y <= delta * inject_Z n)%Q)
      by (rewrite <- e; apply Qmult_le_compat_r; [exact high | apply Qlt_le_weak; exact p]).
    assert (down : (- delta * inject_Z n <= inject_Z y)%Q)
      by (rewrite <- e; apply Qmult_le_compat_r; [exact low | apply Qlt_le_weak; exact p]).
    unfold Qle in up, down. simpl in up, down. rewrite Pos.mul_1_r, Z.mul_1_r in up.
    rewrite Pos.mul_1_r, Z.mul_1_r in down. lia.
  Qed.

  Lemma pair_in_z : forall i r j s delta, (Qabs (pair_correlation l i r j s test) <= delta)%Q ->
    QDen delta * Z.abs (pair_moment i r j s) <= Qnum delta * (m * m).
  Proof.
    intros i r j s delta small. apply (bound_in_z (pair_correlation l i r j s test)); [lia | | exact small].
    rewrite inject_Z_mult. apply pair_is.
  Qed.

  Lemma trio_in_z : forall i r j s k t delta, (Qabs (trio_correlation l i r j s k t test) <= delta)%Q ->
    QDen delta * Z.abs (trio_moment i r j s k t) <= Qnum delta * (m * m * m).
  Proof.
    intros i r j s k t delta small. apply (bound_in_z (trio_correlation l i r j s k t test)); [lia | | exact small].
    rewrite !inject_Z_mult. apply trio_is.
  Qed.

  (** No correlation of a pair exceeds a quarter. *)
  Lemma quarter : forall n a b both, 0 <= both -> both <= a -> both <= b -> a + b - both <= n ->
    4 * Z.abs (n * both - a * b) <= n * n.
  Proof.
    intros n a b both low less_a less_b high.
    assert (sa := Z.square_nonneg (n - 2 * a)). assert (sb := Z.square_nonneg (n - 2 * b)).
    assert (up : n * both - a * b <= a * (n - b) /\ n * both - a * b <= b * (n - a)) by nia.
    assert (down : a * b - n * both <= a * b /\ a * b - n * both <= (n - a) * (n - b)) by nia.
    assert (4 * (n * both - a * b) <= n * n) by (destruct (Z.le_ge_cases a b); nia).
    assert (4 * (a * b - n * both) <= n * n) by (destruct (Z.le_ge_cases (a + b) n); nia). lia.
  Qed.

  Lemma pair_quarter : forall i r j s, 4 * Z.abs (pair_moment i r j s) <= m * m.
  Proof.
    intros i r j s. unfold pair_moment.
    set (a := on l (gave i r) test). set (b := on l (gave j s) test).
    set (both := on l (fun p => gave i r p * gave j s p) test).
    assert (g1 := fun p => gave_within i r p). assert (g2 := fun p => gave_within j s p).
    assert (h1 : both <= a) by (apply on_le; intro p; specialize (g1 p); specialize (g2 p); nia).
    assert (h2 : both <= b) by (apply on_le; intro p; specialize (g1 p); specialize (g2 p); nia).
    assert (none := on_zero l test).
    assert (h3 : 0 <= both)
      by (rewrite <- none; apply on_le; intro p; specialize (g1 p); specialize (g2 p); nia).
    assert (h4 : 0 <= on l (fun p => (1 * gave i r p - 1) * (1 * gave j s p - 1)) test)
      by (rewrite <- none; apply on_le; intro p; specialize (g1 p); specialize (g2 p); nia).
    rewrite pair_sum, <- questions_on in h4. fold a b both m in h4. apply quarter; lia.
  Qed.
End Whole.

(** A bound delta of x/n that is not reached, as whole numbers. *)
Lemma below_in_z : forall (x : Q) (n y : Z) delta, 0 < n -> (x * inject_Z n == inject_Z y)%Q -> (Qabs x < delta)%Q ->
  QDen delta * Z.abs y < Qnum delta * n.
Proof.
  intros x n y delta positive e small.
  assert (p : (0 < inject_Z n)%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact positive).
  assert (up : (inject_Z (Z.abs y) < delta * inject_Z n)%Q).
  { setoid_replace (inject_Z (Z.abs y)) with (Qabs x * inject_Z n)%Q; [apply Qmult_lt_r; assumption |].
    change (inject_Z (Z.abs y)) with (Qabs (inject_Z y)). rewrite <- e, Qabs_Qmult.
    rewrite (Qabs_pos (inject_Z n)) by (apply Qlt_le_weak; exact p). reflexivity. }
  unfold Qlt in up. simpl in up. rewrite Pos.mul_1_r, Z.mul_1_r in up. lia.
Qed.
