(** How dependent the errors must be, for any number of labels: a certificate by the rank of covariances.

    Numbers for answers make scores of a question: f adds up those of some judges, g those of others. Under a key, the
    covariance of two scores is that of their means on the labels plus a mean of their covariances within the labels.
    Means on R labels leave room for R - 1 scores: of R scores g some mixture has the same mean on all labels, and what
    covariance it has with any f comes from within the labels. There it is small if the errors are nearly independent. *)

From Coq Require Import ZArith QArith Qabs List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Budget Solvable.
Import ListNotations.
Open Scope Z_scope.

(** Every correlation of two of these judges, on any label and of any two answers, is smaller than delta. *)
Definition all_below (labels : nat) (delta : Q) (who : list nat) (test : list question) : Prop :=
  forall l i r j s, (l < labels)%nat -> In i who -> In j who -> i <> j -> (r < labels)%nat -> (s < labels)%nat ->
    (Qabs (pair_correlation l i r j s test) < delta)%Q.
(** Every key of these votes has two of these judges whose errors on some label are correlated by delta or more. *)
Definition dependent_answers (labels : nat) (delta : Q) (who : list nat) (votes : counted) : Prop :=
  forall test, test_of labels votes test -> ~ all_below labels delta who test.

(** Said without a negation: such a key has such a pair. *)
Lemma dependent_answers_pair : forall labels delta who votes test, dependent_answers labels delta who votes ->
  test_of labels votes test -> exists l i r j s, (l < labels)%nat /\ In i who /\ In j who /\ i <> j /\
    (r < labels)%nat /\ (s < labels)%nat /\ (delta <= Qabs (pair_correlation l i r j s test))%Q.
Proof.
  intros labels delta who votes test proven of_votes. set (cells := list_prod who (seq 0 labels)).
  destruct (some_or_none (fun x => let '(l, ((i, r), (j, s))) := x in
      negb (Nat.eqb i j) && Qle_bool delta (Qabs (pair_correlation l i r j s test)))
    (list_prod (seq 0 labels) (list_prod cells cells))) as [[[l [[i r] [j s]]] [there far]] | none].
  - unfold cells in there. rewrite !in_prod_iff, !in_seq in there.
    rewrite andb_true_iff, negb_true_iff, Nat.eqb_neq, Qle_bool_iff in far.
    exists l, i, r, j, s. repeat split; tauto || lia.
  - exfalso. apply (proven test of_votes). intros l i r j s label ii ij n hr hs. apply Qnot_le_lt. intro far.
    specialize (none (l, ((i, r), (j, s)))). cbv iota beta in none.
    rewrite (proj2 (Qle_bool_iff _ _) far), (proj2 (Nat.eqb_neq _ _) n) in none. discriminate none.
    unfold cells. rewrite !in_prod_iff, !in_seq. repeat split; try assumption; lia.
Qed.

(** A judge, an answer, and the number for it. *)
Record weight := Weight { judge_of : nat; answer_in : nat; number : Z }.
Definition weights := list weight.
Definition score (u : weights) (p : pattern) : Z := total (fun w => number w * gave (judge_of w) (answer_in w) p) u.
Definition spread (u : weights) : Z := total (fun w => Z.abs (number w)) u.

(** The covariance of two functions of the answers, times the square of the number of questions. *)
Definition all_questions (votes : counted) (f : pattern -> Z) : Z := total (fun v => snd v * f (fst v)) votes.
Definition covaries (votes : counted) (f g : pattern -> Z) : Z :=
  total snd votes * all_questions votes (fun p => f p * g p) - all_questions votes f * all_questions votes g.

(** The certificate: at least as many pairs of scores as labels; each f varies with its own g, by the same number c, and with no
    other; the scores of f are of other judges than those of g. *)
Definition usable (labels : nat) (who : list nat) (u : weights) : bool :=
  forallb (fun w => existsb (Nat.eqb (judge_of w)) who && Nat.ltb (answer_in w) labels) u.
Definition apart (u v : weights) : bool :=
  forallb (fun w => forallb (fun x => negb (Nat.eqb (judge_of w) (judge_of x))) v) u.
Definition rank (labels : nat) (who : list nat) (rows : list (weights * weights)) (c : Z) (delta : Q) (votes : counted) : bool :=
  let n := total snd votes in
  let numbered := combine (seq 0 (length rows)) rows in
  (0 <? n) && (0 <? c) && Nat.leb labels (length rows) && (0 <? Qnum delta)
  && forallb (fun row => usable labels who (fst row) && usable labels who (snd row)) rows
  && forallb (fun a => forallb (fun b => apart (fst (snd a)) (snd (snd b)) &&
       (covaries votes (score (fst (snd a))) (score (snd (snd b)))
         =? if Nat.eqb (fst a) (fst b) then c else 0)) numbered) numbered
  && (Qnum delta * (n * n) * total (fun row => spread (fst row) * spread (snd row)) rows <=? QDen delta * c).

(** A sum is no larger than its parts. *)
Lemma sum_small : forall {X} (c f : X -> Z) xs d bound, (forall x, In x xs -> d * Z.abs (f x) <= bound) -> 0 <= d -> 0 <= bound ->
  d * Z.abs (total (fun x => c x * f x) xs) <= total (fun x => Z.abs (c x)) xs * bound.
Proof.
  intros X c f xs d bound small low high. induction xs as [| x xs step]; [simpl; lia |]. cbn [total fold_right].
  fold (total (fun x => c x * f x) xs). fold (total (fun x => Z.abs (c x)) xs).
  specialize (step (fun y there => small y (or_intror there))). assert (here := small x (or_introl eq_refl)).
  assert (Z.abs (c x * f x + total (fun x => c x * f x) xs) <= Z.abs (c x * f x) + Z.abs (total (fun x => c x * f x) xs)) by lia.
  rewrite Z.abs_mul in *. assert (0 <= Z.abs (c x)) by lia. nia.
Qed.

Lemma total_abs_low : forall {X} (f : X -> Z) xs, 0 <= total (fun x => Z.abs (f x)) xs.
Proof. intros X f xs. induction xs as [| x xs step]; simpl; lia. Qed.

Section Moments.
  Variables (l : nat) (test : list question).
  Let m := questions_of l test.
  (** The covariance within a label, times the square of its number of questions. *)
  Definition moment (f g : pattern -> Z) : Z := m * on l (fun p => f p * g p) test - on l f test * on l g test.

  Lemma on_total : forall {X} (f : X -> pattern -> Z) xs, on l (fun p => total (fun x => f x p) xs) test
    = total (fun x => on l (f x) test) xs.
  Proof.
    intros X f xs. unfold on. rewrite <- total_swap. apply total_same. intros q _. rewrite <- total_times. reflexivity.
  Qed.
  Lemma on_times : forall c f, on l (fun p => c * f p) test = c * on l f test.
  Proof. intros. unfold on. rewrite <- total_times. apply total_same. intros. lia. Qed.

  Lemma moment_swap : forall f g, moment f g = moment g f.
  Proof. intros. unfold moment. rewrite (on_same l (fun p => f p * g p) (fun p => g p * f p)) by (intro; lia). lia. Qed.

  Lemma moment_sum : forall {X} (c : X -> Z) (f : X -> pattern -> Z) g xs,
    moment (fun p => total (fun x => c x * f x p) xs) g = total (fun x => c x * moment (f x) g) xs.
  Proof.
    intros X c f g xs. unfold moment. rewrite (on_total (fun x p => c x * f x p)).
    rewrite (on_same l _ (fun p => total (fun x => c x * (f x p * g p)) xs)).
    2: { intro p. rewrite Z.mul_comm, <- total_times. apply total_same. intros. lia. }
    rewrite (on_total (fun x p => c x * (f x p * g p))).
    rewrite <- total_times, (Z.mul_comm (total _ xs)), <- total_times.
    transitivity (total (fun x => m * on l (fun p => c x * (f x p * g p)) test
      + -1 * (on l g test * on l (fun p => c x * f x p) test)) xs).
    { rewrite total_plus, (total_times (-1)). lia. }
    apply total_same. intros x _. rewrite (on_times (c x) (fun p => f x p * g p)), (on_times (c x) (f x)). lia.
  Qed.

  Lemma score_small : forall u v d bound, 0 <= d -> 0 <= bound ->
    (forall w x, In w u -> In x v -> d * Z.abs (pair_moment l test (judge_of w) (answer_in w) (judge_of x) (answer_in x))
      <= bound) ->
    d * Z.abs (moment (score u) (score v)) <= spread u * (spread v * bound).
  Proof.
    intros u v d bound low high small. unfold score at 1.
    rewrite (moment_sum number (fun w => gave (judge_of w) (answer_in w))).
    apply sum_small; [| exact low | apply Z.mul_nonneg_nonneg; [apply total_abs_low | exact high]].
    intros w in_u. rewrite moment_swap. unfold score.
    rewrite (moment_sum number (fun w => gave (judge_of w) (answer_in w))).
    apply sum_small; [| exact low | exact high]. intros x in_v. rewrite moment_swap. apply small; assumption.
  Qed.
End Moments.

Section Key.
  Variables (labels : nat) (votes : counted) (test : list question).
  Hypothesis of_votes : test_of labels votes test.
  Let n := total snd votes.
  Hypothesis some : 0 < n.

  Lemma all_by_labels : forall f, all_questions votes f = total (fun l => on l f test) (seq 0 labels).
  Proof. intro f. symmetry. apply by_labels. exact of_votes. Qed.
  Lemma sizes_by_labels : n = total (fun l => questions_of l test) (seq 0 labels).
  Proof.
    unfold n. rewrite (total_same _ (fun v => snd v * 1)) by (intros; lia).
    rewrite <- (by_labels labels votes test of_votes (fun _ => 1)). apply total_same. intros. symmetry. apply questions_on.
  Qed.

  (** How far the mean of g on a label is from its mean on all questions, times their numbers. *)
  Definition off (g : pattern -> Z) (l : nat) : Z := n * on l g test - all_questions votes g * questions_of l test.
  Lemma off_adds_up : forall g, total (off g) (seq 0 labels) = 0.
  Proof.
    intro g. transitivity (n * all_questions votes g + - all_questions votes g * n); [| lia].
    rewrite (all_by_labels g) at 1. rewrite sizes_by_labels at 2. rewrite <- !total_times, <- total_plus.
    apply total_same. intros. unfold off. lia.
  Qed.
  (** If the means on all labels but the last agree, they all do. *)
  Lemma off_last : forall g, (forall l, (S l < labels)%nat -> off g l = 0) -> forall l, (l < labels)%nat -> off g l = 0.
  Proof.
    intros g others l known. destruct (Nat.eq_dec (S l) labels) as [last | n']; [| apply others; lia].
    assert (h := off_adds_up g). rewrite <- last, seq_S, total_app in h. simpl in h.
    rewrite (total_zero (off g)) in h; [lia |]. intros k there. apply in_seq in there. apply others. lia.
  Qed.

  (** A score with the same mean on every label varies with others within the labels only. *)
  Lemma within_labels : forall f g d bound, 0 <= d -> 0 <= bound -> (forall l, (l < labels)%nat -> off g l = 0) ->
    (forall l, (l < labels)%nat -> 0 < questions_of l test ->
       d * Z.abs (moment l test f g) <= bound * (questions_of l test * questions_of l test)) ->
    d * Z.abs (covaries votes f g) <= n * n * bound.
  Proof.
    intros f g d bound low high same small. set (m := fun l => questions_of l test).
    set (part := fun l => n * on l (fun p => f p * g p) test - on l f test * all_questions votes g).
    assert (parts : covaries votes f g = total (fun l => 1 * part l) (seq 0 labels)).
    { unfold covaries. fold n. rewrite (all_by_labels (fun p => f p * g p)), (all_by_labels f).
      rewrite <- total_times, (Z.mul_comm (total _ (seq 0 labels)) (all_questions votes g)), <- total_times.
      transitivity (total (fun l => n * on l (fun p => f p * g p) test
        + -1 * (all_questions votes g * on l f test)) (seq 0 labels)).
      - rewrite total_plus, (total_times (-1)). lia.
      - apply total_same. intros. unfold part. lia. }
    assert (each : forall l, (l < labels)%nat -> d * Z.abs (part l) <= n * bound * m l).
    { intros l known. assert (lm : 0 <= m l) by apply count_low. specialize (same l known). unfold off in same.
      fold (m l) in same.
      destruct (Z.eq_dec (m l) 0) as [none | not_none].
      - unfold part. rewrite !(on_empty l _ test none), none. lia.
      - assert (positive : 0 < m l) by lia. specialize (small l known positive). fold (m l) in small.
        assert (e : m l * part l = n * moment l test f g).
        { unfold part, moment. fold (m l).
          replace (m l * (n * on l (fun p => f p * g p) test - on l f test * all_questions votes g))
            with (n * (m l * on l (fun p => f p * g p) test) - on l f test * (all_questions votes g * m l)) by ring.
          replace (all_questions votes g * m l) with (n * on l g test) by lia. ring. }
        apply (Z.mul_le_mono_pos_l _ _ (m l)); [exact positive |].
        replace (m l * (d * Z.abs (part l))) with (d * Z.abs (m l * part l))
          by (rewrite Z.abs_mul, (Z.abs_eq (m l)) by lia; ring).
        rewrite e, Z.abs_mul, (Z.abs_eq n) by lia.
        replace (d * (n * Z.abs (moment l test f g))) with (n * (d * Z.abs (moment l test f g))) by ring.
        replace (m l * (n * bound * m l)) with (n * (bound * (m l * m l))) by ring.
        apply Z.mul_le_mono_nonneg_l; [lia | exact small]. }
    rewrite parts. clear parts.
    transitivity (total (fun l => n * bound * m l) (seq 0 labels)).
    - assert (known : forall l, In l (seq 0 labels) -> (l < labels)%nat) by (intros l h; apply in_seq in h; lia).
      induction (seq 0 labels) as [| l ls step]; [simpl; lia |]. cbn [total fold_right] in *.
      specialize (each l (known l (or_introl eq_refl))). specialize (step (fun k h => known k (or_intror h))).
      unfold total in *. nia.
    - rewrite total_times. unfold m. rewrite <- sizes_by_labels. nia.
  Qed.

  (** Below delta means, in whole numbers, by a margin. *)
  Lemma below_by_a_margin : forall l i r j s delta, (l < labels)%nat -> 0 < questions_of l test ->
    (Qabs (pair_correlation l i r j s test) < delta)%Q ->
    QDen delta * (n * n) * Z.abs (pair_moment l test i r j s)
      <= (Qnum delta * (n * n) - 1) * (questions_of l test * questions_of l test).
  Proof.
    intros l i r j s delta known positive small. set (m := questions_of l test) in *.
    assert (fewer : m <= n).
    { rewrite sizes_by_labels. unfold m. clear - known. assert (there : In l (seq 0 labels)) by (apply in_seq; lia).
      induction (seq 0 labels) as [| k ks step]; [contradiction |]. simpl.
      assert (h := count_low (fun q => Nat.eqb (truth q) k) test). fold (questions_of k test) in h.
      assert (0 <= total (fun l => questions_of l test) ks).
      { clear. induction ks as [| k ks step]; simpl; [lia |]. assert (h := count_low (fun q => Nat.eqb (truth q) k) test).
        fold (questions_of k test) in h. lia. }
      destruct there as [<- | there]; [| specialize (step there)]; lia. }
    assert (strict : QDen delta * Z.abs (pair_moment l test i r j s) < Qnum delta * (m * m)).
    { apply (below_in_z (pair_correlation l i r j s test)); [nia | | exact small].
      rewrite inject_Z_mult. exact (pair_is l test positive i r j s). }
    set (y := Z.abs (pair_moment l test i r j s)) in *. assert (m * m <= n * n) by nia.
    assert (QDen delta * y + 1 <= Qnum delta * (m * m)) by lia. nia.
  Qed.
End Key.

(** Any number of labels: if scores of some of these judges vary with scores of others more than the labels let them,
    every key has two of these judges whose errors on some label are correlated by delta or more. *)
Theorem rank_sound : forall labels who rows c delta votes, rank labels who rows c delta votes = true ->
  dependent_answers labels delta who votes.
Proof.
  intros labels who rows c delta votes holds test of_votes below. unfold rank in holds.
  set (n := total snd votes) in *. set (numbered := combine (seq 0 (length rows)) rows) in *.
  rewrite !andb_true_iff, !Z.ltb_lt, Nat.leb_le, Z.leb_le, !forallb_forall in holds.
  destruct holds as [[[[[[some positive] many] low] use] fit] less].
  set (f := fun a => fst (nth a rows ([], []))). set (g := fun a => snd (nth a rows ([], []))).
  assert (there : forall a, (a < length rows)%nat -> In (a, nth a rows ([], [])) numbered).
  { intros a h. unfold numbered. replace a with (nth a (seq 0 (length rows)) O) at 1 by (rewrite seq_nth; lia).
    rewrite <- (combine_nth (seq 0 (length rows)) rows a O ([], [])) by apply seq_length.
    apply nth_In. rewrite combine_length, seq_length. lia. }
  assert (varies : forall a b, (a < length rows)%nat -> (b < length rows)%nat -> apart (f a) (g b) = true /\
    covaries votes (score (f a)) (score (g b)) = if Nat.eqb a b then c else 0).
  { intros a b ha hb. specialize (fit _ (there a ha)). rewrite forallb_forall in fit. specialize (fit _ (there b hb)).
    simpl in fit. apply andb_true_iff in fit. rewrite Z.eqb_eq in fit. exact fit. }
  assert (used : forall a, (a < length rows)%nat -> usable labels who (f a) = true /\ usable labels who (g a) = true).
  { intros a ha. apply andb_true_iff. apply (use (nth a rows ([], []))), nth_In. exact ha. }
  set (k := length rows) in *.
  destruct (solvable k (map (fun l b => off votes test (score (g b)) l) (seq 0 (labels - 1))))
    as [x [[b0 [known not_zero]] solved]].
  { rewrite map_length, seq_length. destruct labels as [| labels']; [| lia].
    exfalso. assert (h := sizes_by_labels 0 votes test of_votes). simpl in h. unfold n in some. lia. }
  set (mixture := fun p => total (fun b => x b * score (g b) p) (seq 0 k)).
  assert (all_mixed : forall (h : pattern -> Z), all_questions votes (fun p => mixture p * h p)
    = total (fun b => x b * all_questions votes (fun p => score (g b) p * h p)) (seq 0 k)).
  { intro h. unfold all_questions, mixture. rewrite (total_same _ (fun v => total
      (fun b => x b * (snd v * (score (g b) (fst v) * h (fst v)))) (seq 0 k))).
    - rewrite total_swap. apply total_same. intros. apply total_times.
    - intros v _. rewrite Z.mul_assoc, (Z.mul_comm _ (h (fst v))), Z.mul_assoc, <- total_times. apply total_same. intros. lia. }
  assert (all_one : forall g', all_questions votes g' = all_questions votes (fun p => g' p * 1))
    by (intro; apply total_same; intros; lia).
  assert (same : forall l, (l < labels)%nat -> off votes test mixture l = 0).
  { apply (off_last labels votes test of_votes). intros l h.
    transitivity (left_side k (fun b => off votes test (score (g b)) l) x).
    - unfold off, left_side. rewrite (all_one mixture), all_mixed. unfold mixture at 1.
      rewrite (on_total l test (fun b p => x b * score (g b) p)).
      rewrite (total_same (fun b => (_ - _) * x b) (fun b => total snd votes * on l (fun p => x b * score (g b) p) test
        + - questions_of l test * (x b * all_questions votes (fun p => score (g b) p * 1)))).
      + rewrite total_plus, !total_times. lia.
      + intros b _. rewrite (on_times l test (x b)), <- all_one. lia.
    - apply (solved (fun b => off votes test (score (g b)) l)), in_map_iff. exists l. split; [reflexivity | apply in_seq; lia]. }
  assert (own : forall a, (a < k)%nat -> covaries votes (score (f a)) mixture = c * x a).
  { intros a ha. unfold covaries.
    replace (all_questions votes (fun p => score (f a) p * mixture p))
      with (all_questions votes (fun p => mixture p * score (f a) p)) by (apply total_same; intros; lia).
    rewrite (all_one mixture), !all_mixed.
    rewrite <- !total_times. fold n.
    transitivity (total (fun b => x b * covaries votes (score (f a)) (score (g b))) (seq 0 k)).
    - rewrite (total_same (fun b => x b * covaries _ _ _) (fun b => n * (x b * all_questions votes
        (fun p => score (g b) p * score (f a) p))
        + -1 * (all_questions votes (score (f a)) * (x b * all_questions votes (fun p => score (g b) p * 1))))).
      + rewrite total_plus, (total_times (-1)). lia.
      + intros b _. rewrite <- all_one. unfold covaries. fold n.
        replace (all_questions votes (fun p => score (f a) p * score (g b) p))
          with (all_questions votes (fun p => score (g b) p * score (f a) p)) by (apply total_same; intros; lia). lia.
    - rewrite (total_same _ (fun b => indicator (Nat.eqb b a) * (c * x b))).
      + apply (total_of_one (fun b => Nat.eqb b a) (fun b => c * x b));
          [intro; apply Nat.eqb_eq | apply seq_NoDup | apply in_seq; lia].
      + intros b hb. apply in_seq in hb. rewrite (proj2 (varies a b ha ltac:(lia))), (Nat.eqb_sym a b).
        unfold indicator. destruct (Nat.eqb b a); lia. }
  set (t := total (fun b => Z.abs (x b) * spread (g b)) (seq 0 k)).
  set (d := QDen delta * (n * n)). set (e := Qnum delta * (n * n) - 1).
  assert (nn : 0 < n * n) by nia. assert (d_low : 0 < d) by (unfold d; nia). assert (e_low : 0 <= e) by (unfold e; nia).
  assert (spread_low : forall u, 0 <= spread u) by (intro; apply total_abs_low).
  assert (t_low : 0 <= t).
  { unfold t. rewrite <- (total_zero (fun _ => 0) (seq 0 k)) by reflexivity. apply total_le. intros b _.
    apply Z.mul_nonneg_nonneg; [lia | apply spread_low]. }
  assert (small : forall a, (a < k)%nat -> d * (c * Z.abs (x a)) <= n * n * (spread (f a) * t * e)).
  { intros a ha. replace (c * Z.abs (x a)) with (Z.abs (covaries votes (score (f a)) mixture))
      by (rewrite (own a ha), Z.abs_mul, (Z.abs_eq c) by lia; reflexivity).
    apply (within_labels labels votes test of_votes some (score (f a)) mixture d (spread (f a) * t * e)); [lia | | exact same |].
    { assert (h := spread_low (f a)). nia. }
    intros l hl m_positive. set (mm := questions_of l test * questions_of l test).
    assert (mm_low : 0 <= mm) by (unfold mm; nia).
    rewrite moment_swap. unfold mixture. rewrite (moment_sum l test x (fun b => score (g b))).
    replace (spread (f a) * t * e * mm) with (t * (spread (f a) * (e * mm))) by ring. unfold t.
    assert (parts : forall b, (b < k)%nat -> d * Z.abs (moment l test (score (g b)) (score (f a)))
      <= spread (g b) * (spread (f a) * (e * mm))).
    { intros b hb. apply score_small; [lia | nia |]. intros w v in_g in_f.
      destruct (used a ha) as [uf _]. destruct (used b hb) as [_ ug]. destruct (varies a b ha hb) as [ap _].
      unfold usable in uf, ug. unfold apart in ap. rewrite forallb_forall in uf, ug, ap.
      specialize (uf v in_f). specialize (ug w in_g). specialize (ap v in_f). rewrite forallb_forall in ap.
      specialize (ap w in_g).
      apply andb_true_iff in uf. apply andb_true_iff in ug. destruct uf as [jf af]. destruct ug as [jg ag].
      apply existsb_exists in jf. destruct jf as [z1 [w1 e1]]. apply Nat.eqb_eq in e1. apply existsb_exists in jg.
      destruct jg as [z2 [w2 e2]].
      apply Nat.eqb_eq in e2. apply negb_true_iff, Nat.eqb_neq in ap. apply Nat.ltb_lt in af, ag. subst z1 z2.
      unfold d, e, mm, n. apply (below_by_a_margin labels votes test of_votes some); [exact hl | exact m_positive |].
      apply below; try assumption. congruence. }
    clear - parts d_low. assert (known : forall b, In b (seq 0 k) -> (b < k)%nat) by (intros b h; apply in_seq in h; lia).
    induction (seq 0 k) as [| b bs step]; [simpl; lia |]. cbn [total fold_right] in *.
    specialize (parts b (known b (or_introl eq_refl))) as here. specialize (step (fun b' h => known b' (or_intror h))).
    unfold total in *. set (r := fold_right _ _ _) in *.
    set (z := moment l test (score (g b)) (score (f a))) in *. set (bound := spread (f a) * (e * mm)) in *.
    assert (apart_small : d * Z.abs (x b * z + r) <= d * (Z.abs (x b) * Z.abs z + Z.abs r))
      by (apply Z.mul_le_mono_nonneg_l; [lia | rewrite <- Z.abs_mul; lia]).
    assert (Z.abs (x b) * (d * Z.abs z) <= Z.abs (x b) * (spread (g b) * bound)) by (apply Z.mul_le_mono_nonneg_l; lia).
    clear - apart_small step H. lia. }
  set (s := total (fun row => spread (fst row) * spread (snd row)) rows) in *.
  assert (s_is : s = total (fun a => spread (f a) * spread (g a)) (seq 0 k)).
  { unfold s, f, g, k. clear. induction rows as [| row rows step]; [reflexivity |]. simpl. f_equal.
    rewrite <- seq_shift. rewrite step. clear. generalize (seq 0 (length rows)). intro ls.
    induction ls as [| l ls step]; simpl; [reflexivity | rewrite step; reflexivity]. }
  assert (s_low : 0 <= s).
  { rewrite s_is, <- (total_zero (fun _ => 0) (seq 0 k)) by reflexivity. apply total_le. intros a _.
    assert (h1 := spread_low (f a)). assert (h2 := spread_low (g a)). nia. }
  assert (sum : d * c * t <= n * n * e * t * s).
  { rewrite s_is. unfold t at 1. rewrite <- !total_times. apply total_le. intros a ha. apply in_seq in ha.
    specialize (small a ltac:(lia)). assert (h := spread_low (g a)).
    replace (d * c * (Z.abs (x a) * spread (g a))) with (d * (c * Z.abs (x a)) * spread (g a)) by ring.
    replace (n * n * e * t * (spread (f a) * spread (g a))) with (n * n * (spread (f a) * t * e) * spread (g a)) by ring.
    apply Z.mul_le_mono_nonneg_r; assumption. }
  assert (none : t = 0).
  { destruct (Z.eq_dec t 0) as [z | z]; [exact z | exfalso]. assert (tp : 0 < t) by lia.
    assert (d * c <= n * n * e * s) by (apply (Z.mul_le_mono_pos_r _ _ t); [exact tp |];
      replace (n * n * e * s * t) with (n * n * e * t * s) by ring; exact sum).
    unfold d, e in *. assert (QDen delta * c <= (Qnum delta * (n * n) - 1) * s) by nia.
    assert (0 < s) by nia. nia. }
  specialize (small b0 known). rewrite none in small. nia.
Qed.
