(** The postulates of one, two and three judges, proven of every answer key of a test with a question at least.

    A key is a pair of tables: the answers to the questions whose true label is [a], and to those of [b]. Everything
    below is a mean over questions: accuracies and correlations over the questions of one label, frequencies over all.
    The postulates say how the second follow from the first, whether errors are independent or not. *)

From Coq Require Import ZArith QArith Lia Field Setoid Morphisms.
From NtqrExact Require Import Keys.
Open Scope Q_scope.

Inductive label := A | B.
Inductive judge := First | Second | Third.

(** An answer is the number 1 for [a] and 0 for [b]; [gave l x] is 1 if the answer x is the label l, else 0. *)
Definition gave (l : label) (x : Q) : Q := match l with A => x | B => 1 - x end.
Definition answer (j : judge) (one two three : Q) : Q :=
  match j with First => one | Second => two | Third => three end.

(** How often judge j is right on the questions of label l, which are counted in t. *)
Definition accuracy (l : label) (j : judge) (t : table) : Q :=
  mean (fun one two three => gave l (answer j one two three)) t.

(** Error correlations on a label: the mean product of how much each judge is right beyond its accuracy. *)
Definition pair_correlation (l : label) (i j : judge) (t : table) : Q :=
  mean (fun one two three => (gave l (answer i one two three) - accuracy l i t)
                             * (gave l (answer j one two three) - accuracy l j t)) t.
Definition trio_correlation (l : label) (t : table) : Q :=
  mean (fun one two three => (gave l one - accuracy l First t) * (gave l two - accuracy l Second t)
                             * (gave l three - accuracy l Third t)) t.

(** How often the votes show these answers. *)
Definition frequency1 (j : judge) (p : label) (votes : table) : Q :=
  mean (fun one two three => gave p (answer j one two three)) votes.
Definition frequency2 (i j : judge) (p q : label) (votes : table) : Q :=
  mean (fun one two three => gave p (answer i one two three) * gave q (answer j one two three)) votes.
Definition frequency3 (p q r : label) (votes : table) : Q :=
  mean (fun one two three => gave p one * gave q two * gave r three) votes.

(** A test with its key: counts of questions, of which there is one at least. *)
Definition key (on_a on_b : table) : Prop :=
  nonnegative on_a /\ nonnegative on_b /\ (0 < size on_a + size on_b)%Z.
Definition prevalence_a (on_a on_b : table) : Q := inject_Z (size on_a) / inject_Z (size on_a + size on_b).
Definition prevalence_b (on_a on_b : table) : Q := inject_Z (size on_b) / inject_Z (size on_a + size on_b).

(** The rate of the answer p on label l, and the sign of being right with it. *)
Definition rate (l p : label) (right : Q) : Q :=
  match l, p with A, A => right | B, B => right | _, _ => 1 - right end.
Definition sign (l p : label) : Q := match l, p with A, A => 1 | B, B => 1 | _, _ => - (1) end.

#[global] Instance rate_respects_equality : forall l p, Proper (Qeq ==> Qeq) (rate l p).
Proof. intros [] [] x y e; simpl; rewrite e; reflexivity. Qed.

(** Means over all questions are means over the labels, weighted by prevalence, even if a label has no questions. *)
Lemma inject_size : forall t, inject_Z (size t) ==
  inject_Z (aaa t) + inject_Z (aab t) + inject_Z (aba t) + inject_Z (abb t)
  + inject_Z (baa t) + inject_Z (bab t) + inject_Z (bba t) + inject_Z (bbb t).
Proof. intro t. unfold size. rewrite !inject_Z_plus. reflexivity. Qed.

Lemma sum_of_empty : forall f t, nonnegative t -> size t = 0%Z -> sum f t == 0.
Proof.
  intros f [a1 a2 a3 a4 a5 a6 a7 a8] n e. unfold nonnegative, size, sum in *. simpl in *.
  replace a1 with 0%Z by lia. replace a2 with 0%Z by lia. replace a3 with 0%Z by lia. replace a4 with 0%Z by lia.
  replace a5 with 0%Z by lia. replace a6 with 0%Z by lia. replace a7 with 0%Z by lia. replace a8 with 0%Z by lia. ring.
Qed.

Lemma nonzero : forall z, z <> 0%Z -> ~ inject_Z z == 0.
Proof. intros z n e. apply n. unfold Qeq in e. simpl in e. lia. Qed.

Lemma mean_of_key : forall f s t, key s t ->
  mean f (add s t) == prevalence_a s t * mean f s + prevalence_b s t * mean f t.
Proof.
  intros f s t [ns [nt positive]].
  assert (n := nonzero _ (Z.neq_sym _ _ (Z.lt_neq _ _ positive))).
  assert (total : sum f (add s t) == sum f s + sum f t).
  { unfold sum, add. simpl. rewrite !inject_Z_plus. ring. }
  assert (both : size (add s t) = (size s + size t)%Z) by (unfold size, add; simpl; lia).
  change (mean f (add s t)) with (sum f (add s t) / inject_Z (size (add s t))).
  change (mean f s) with (sum f s / inject_Z (size s)). change (mean f t) with (sum f t / inject_Z (size t)).
  rewrite total, both. unfold prevalence_a, prevalence_b.
  destruct (Z.eq_dec (size s) 0) as [es | fs]; destruct (Z.eq_dec (size t) 0) as [et | ft]; try lia.
  - rewrite (sum_of_empty f s ns es), es in *. unfold Qdiv at 2. rewrite Qmult_0_l, Qmult_0_l, Qplus_0_l, Qplus_0_l.
    field. split; [apply nonzero; exact ft | exact n].
  - rewrite (sum_of_empty f t nt et), et in *. rewrite Qplus_0_r. unfold Qdiv at 4. rewrite Qmult_0_l, Qmult_0_l, Qplus_0_r.
    field. split; [apply nonzero; exact fs | exact n].
  - field. repeat split; first [assumption | apply nonzero; assumption].
Qed.

Lemma prevalences : forall s t, key s t -> prevalence_b s t == 1 - prevalence_a s t.
Proof.
  intros s t [_ [_ positive]]. unfold prevalence_a, prevalence_b.
  assert (n := nonzero _ (Z.neq_sym _ _ (Z.lt_neq _ _ positive))).
  rewrite inject_Z_plus in *. field. exact n.
Qed.

(** Means are linear, and a judge is right beyond its accuracy by nothing on average. *)
Lemma mean_same : forall f g t, (forall x y z, f x y z == g x y z) -> mean f t == mean g t.
Proof. intros f g t same. unfold mean. rewrite !same. reflexivity. Qed.
Lemma mean_plus : forall f g t, mean (fun x y z => f x y z + g x y z) t == mean f t + mean g t.
Proof. intros. unfold mean, Qdiv. ring. Qed.
Lemma mean_times : forall c f t, mean (fun x y z => c * f x y z) t == c * mean f t.
Proof. intros. unfold mean, Qdiv. ring. Qed.
Lemma mean_constant : forall c t, ~ inject_Z (size t) == 0 -> mean (fun _ _ _ => c) t == c.
Proof.
  intros c t n. unfold mean. transitivity (c * inject_Z (size t) / inject_Z (size t)); [| field; exact n].
  apply Qmult_comp; [| reflexivity]. rewrite inject_size. ring.
Qed.

Definition beyond (l : label) (j : judge) (t : table) (one two three : Q) : Q :=
  gave l (answer j one two three) - accuracy l j t.

Lemma mean_beyond : forall l j t, ~ inject_Z (size t) == 0 -> mean (beyond l j t) t == 0.
Proof.
  intros l j t n.
  transitivity (mean (fun x y z => gave l (answer j x y z) + (- accuracy l j t)) t); [reflexivity |].
  rewrite (mean_plus (fun x y z => gave l (answer j x y z))), mean_constant by exact n.
  fold (accuracy l j t). ring.
Qed.

Lemma gave_beyond : forall l p j t x y z,
  gave p (answer j x y z) == rate l p (accuracy l j t) + sign l p * beyond l j t x y z.
Proof. intros l p j t x y z. unfold beyond. destruct l, p; cbn [gave rate sign]; ring. Qed.

(** Within one label: what each pattern of answers adds to, for one, two and three judges. *)
Lemma answer_on_label : forall l j p t, ~ inject_Z (size t) == 0 ->
  frequency1 j p t == rate l p (accuracy l j t).
Proof.
  intros l j p t n. unfold frequency1. rewrite (mean_same _ _ t (gave_beyond l p j t)).
  rewrite mean_plus, mean_constant, mean_times, mean_beyond by exact n. ring.
Qed.

Lemma pair_on_label : forall l i j p q t, ~ inject_Z (size t) == 0 ->
  frequency2 i j p q t == rate l p (accuracy l i t) * rate l q (accuracy l j t)
    + sign l p * sign l q * pair_correlation l i j t.
Proof.
  intros l i j p q t n. unfold frequency2.
  rewrite (mean_same _ (fun x y z => rate l p (accuracy l i t) * rate l q (accuracy l j t)
      + (rate l p (accuracy l i t) * sign l q * beyond l j t x y z
         + (rate l q (accuracy l j t) * sign l p * beyond l i t x y z
            + sign l p * sign l q * (beyond l i t x y z * beyond l j t x y z)))))
    by (intros x y z; rewrite (gave_beyond l p i t), (gave_beyond l q j t); ring).
  rewrite !mean_plus, mean_constant, !mean_times, !mean_beyond by exact n.
  change (mean (fun x y z => beyond l i t x y z * beyond l j t x y z) t) with (pair_correlation l i j t). ring.
Qed.

Lemma trio_on_label : forall l p q r t, ~ inject_Z (size t) == 0 ->
  let right j p := rate l p (accuracy l j t) in
  frequency3 p q r t == right First p * right Second q * right Third r
    + sign l p * sign l q * pair_correlation l First Second t * right Third r
    + sign l p * sign l r * pair_correlation l First Third t * right Second q
    + sign l q * sign l r * pair_correlation l Second Third t * right First p
    + sign l p * sign l q * sign l r * trio_correlation l t.
Proof.
  intros l p q r t n right. unfold frequency3.
  set (d1 := beyond l First t). set (d2 := beyond l Second t). set (d3 := beyond l Third t).
  rewrite (mean_same _ (fun x y z => right First p * right Second q * right Third r
      + (sign l p * right Second q * right Third r * d1 x y z
      + (sign l q * right First p * right Third r * d2 x y z
      + (sign l r * right First p * right Second q * d3 x y z
      + (sign l p * sign l q * right Third r * (d1 x y z * d2 x y z)
      + (sign l p * sign l r * right Second q * (d1 x y z * d3 x y z)
      + (sign l q * sign l r * right First p * (d2 x y z * d3 x y z)
      + sign l p * sign l q * sign l r * (d1 x y z * d2 x y z * d3 x y z))))))))).
  - rewrite !mean_plus, mean_constant, !mean_times by exact n. unfold d1, d2, d3.
    rewrite !mean_beyond by exact n.
    change (mean (fun x y z => beyond l First t x y z * beyond l Second t x y z) t) with (pair_correlation l First Second t).
    change (mean (fun x y z => beyond l First t x y z * beyond l Third t x y z) t) with (pair_correlation l First Third t).
    change (mean (fun x y z => beyond l Second t x y z * beyond l Third t x y z) t) with (pair_correlation l Second Third t).
    change (mean (fun x y z => beyond l First t x y z * beyond l Second t x y z * beyond l Third t x y z) t)
      with (trio_correlation l t). ring.
  - intros x y z. unfold right, d1, d2, d3.
    rewrite (gave_beyond l p First t x y z : gave p x == _), (gave_beyond l q Second t x y z : gave q y == _),
      (gave_beyond l r Third t x y z : gave r z == _). ring.
Qed.

(** Independent errors, as [Keys] has them, leave no correlation of being right. *)
Lemma accuracy_is : forall l j t, ~ inject_Z (size t) == 0 ->
  accuracy l j t == gave l (share (match j with First => count1 | Second => count2 | Third => count3 end) t).
Proof.
  intros l j t n. set (c := match j with First => count1 | Second => count2 | Third => count3 end).
  assert (right : mean (answer j) t == share c t).
  { unfold mean, share, c, Qdiv. apply Qmult_comp; [| reflexivity].
    destruct j; cbn [answer]; unfold count1, count2, count3; rewrite !inject_Z_plus; ring. }
  destruct l; unfold accuracy; cbn [gave]; [exact right |]. rewrite <- right.
  rewrite (mean_same _ (fun x y z => 1 + - (1) * answer j x y z)) by (intros; ring).
  rewrite mean_plus, mean_constant, (mean_times (- (1)) (answer j)) by exact n. ring.
Qed.

Lemma correlations_of_independent : forall l t, ~ inject_Z (size t) == 0 -> independent t ->
  pair_correlation l First Second t == 0 /\ pair_correlation l First Third t == 0 /\
  pair_correlation l Second Third t == 0 /\ trio_correlation l t == 0.
Proof.
  intros l t n [empty | [c12 [c13 [c23 c123]]]]; [exfalso; apply n; rewrite empty; reflexivity |].
  assert (h1 := accuracy_is l First t n). assert (h2 := accuracy_is l Second t n). assert (h3 := accuracy_is l Third t n).
  cbn iota in h1, h2, h3. unfold pair_correlation, trio_correlation. repeat split.
  - transitivity (correlation12 t); [| exact c12]. unfold correlation12. apply mean_same.
    intros x y z. rewrite h1, h2. destruct l; cbn [gave answer]; ring.
  - transitivity (correlation13 t); [| exact c13]. unfold correlation13. apply mean_same.
    intros x y z. rewrite h1, h3. destruct l; cbn [gave answer]; ring.
  - transitivity (correlation23 t); [| exact c23]. unfold correlation23. apply mean_same.
    intros x y z. rewrite h2, h3. destruct l; cbn [gave answer]; ring.
  - transitivity (gave l 1 * correlation123 t - (1 - gave l 1) * correlation123 t); [| rewrite c123; ring].
    transitivity (mean (fun x y z => (gave l 1 - (1 - gave l 1))
      * ((x - share count1 t) * (y - share count2 t) * (z - share count3 t))) t).
    + apply mean_same. intros x y z. rewrite h1, h2, h3. destruct l; cbn [gave answer]; ring.
    + rewrite mean_times. unfold correlation123. ring.
Qed.

(** A label without questions has prevalence 0, whatever is said of it. *)
Lemma weighted : forall s t (x y x' y' : Q), key s t ->
  (~ inject_Z (size s) == 0 -> x == x') -> (~ inject_Z (size t) == 0 -> y == y') ->
  prevalence_a s t * x + prevalence_b s t * y == prevalence_a s t * x' + prevalence_b s t * y'.
Proof.
  intros s t x y x' y' [_ [_ positive]] ex ey.
  assert (none : forall z, z = 0%Z -> inject_Z z / inject_Z (size s + size t) == 0)
    by (intros z e; rewrite e; unfold Qdiv; ring).
  apply Qplus_comp.
  - destruct (Z.eq_dec (size s) 0) as [e | e]; [unfold prevalence_a; rewrite (none _ e); ring |].
    rewrite (ex (nonzero _ e)). reflexivity.
  - destruct (Z.eq_dec (size t) 0) as [e | e]; [unfold prevalence_b; rewrite (none _ e); ring |].
    rewrite (ey (nonzero _ e)). reflexivity.
Qed.

Section Key.
  Variables on_a on_b : table.
  Hypothesis is_key : key on_a on_b.
  Let votes := add on_a on_b.
  Let p_a := prevalence_a on_a on_b.
  Let p_b := prevalence_b on_a on_b.

  (** One judge (eqs. 14 and 15): f_p = P_a r^a_p + P_b r^b_p. *)
  Theorem single_postulates : forall j p,
    frequency1 j p votes == p_a * rate A p (accuracy A j on_a) + p_b * rate B p (accuracy B j on_b).
  Proof.
    intros j p. unfold votes, frequency1, p_a, p_b. rewrite (mean_of_key _ _ _ is_key).
    apply (weighted on_a on_b _ _ _ _ is_key); intro n;
      [exact (answer_on_label A j p on_a n) | exact (answer_on_label B j p on_b n)].
  Qed.

  (** Two judges (eqs. 26a to 26d): f_pq = sum over labels of P (r_p r_q + s_p s_q Gamma). *)
  Theorem pair_postulates : forall i j p q,
    frequency2 i j p q votes ==
      p_a * (rate A p (accuracy A i on_a) * rate A q (accuracy A j on_a)
             + sign A p * sign A q * pair_correlation A i j on_a)
      + p_b * (rate B p (accuracy B i on_b) * rate B q (accuracy B j on_b)
               + sign B p * sign B q * pair_correlation B i j on_b).
  Proof.
    intros i j p q. unfold votes, frequency2, p_a, p_b. rewrite (mean_of_key _ _ _ is_key).
    apply (weighted on_a on_b _ _ _ _ is_key); intro n;
      [exact (pair_on_label A i j p q on_a n) | exact (pair_on_label B i j p q on_b n)].
  Qed.

  (** Three judges, complete: pair and trio correlations of both labels. *)
  Theorem trio_postulates : forall p q r,
    let a j p := rate A p (accuracy A j on_a) in
    let b j p := rate B p (accuracy B j on_b) in
    frequency3 p q r votes ==
      p_a * (a First p * a Second q * a Third r
             + sign A p * sign A q * pair_correlation A First Second on_a * a Third r
             + sign A p * sign A r * pair_correlation A First Third on_a * a Second q
             + sign A q * sign A r * pair_correlation A Second Third on_a * a First p
             + sign A p * sign A q * sign A r * trio_correlation A on_a)
      + p_b * (b First p * b Second q * b Third r
               + sign B p * sign B q * pair_correlation B First Second on_b * b Third r
               + sign B p * sign B r * pair_correlation B First Third on_b * b Second q
               + sign B q * sign B r * pair_correlation B Second Third on_b * b First p
               + sign B p * sign B q * sign B r * trio_correlation B on_b).
  Proof.
    intros p q r a b. unfold votes, frequency3, p_a, p_b. rewrite (mean_of_key _ _ _ is_key).
    apply (weighted on_a on_b _ _ _ _ is_key); intro n;
      [exact (trio_on_label A p q r on_a n) | exact (trio_on_label B p q r on_b n)].
  Qed.

  (** Three judges with independent errors (eqs. 41 to 48): the correlations are gone. *)
  Theorem independent_postulates : independent on_a -> independent on_b -> forall p q r,
    let a j p := rate A p (accuracy A j on_a) in
    let b j p := rate B p (accuracy B j on_b) in
    frequency3 p q r votes ==
      p_a * (a First p * a Second q * a Third r) + p_b * (b First p * b Second q * b Third r).
  Proof.
    intros is_a is_b p q r a b. rewrite (trio_postulates p q r). unfold p_a, p_b, a, b.
    apply (weighted on_a on_b _ _ _ _ is_key); intro n.
    - destruct (correlations_of_independent A on_a n is_a) as [e12 [e13 [e23 e123]]]. rewrite e12, e13, e23, e123. ring.
    - destruct (correlations_of_independent B on_b n is_b) as [e12 [e13 [e23 e123]]]. rewrite e12, e13, e23, e123. ring.
  Qed.

  (** Frequencies of a judge, of a pair (eq. 18) and of the three (eq. 38) add up to 1. *)
  Lemma some_votes : ~ inject_Z (size votes) == 0.
  Proof. destruct is_key as [_ [_ h]]. apply nonzero. unfold votes, size, add in *. simpl. lia. Qed.
  Ltac adds_up := intros; unfold frequency1, frequency2, frequency3; rewrite <- !mean_plus;
    rewrite <- (mean_constant 1 votes some_votes); apply mean_same; intros; cbn [gave]; ring.
  Lemma frequencies_of_one : forall j, frequency1 j A votes + frequency1 j B votes == 1.
  Proof. adds_up. Qed.
  Theorem equation_18 : forall i j, frequency2 i j A A votes + frequency2 i j A B votes
    + frequency2 i j B A votes + frequency2 i j B B votes == 1.
  Proof. adds_up. Qed.
  Theorem equation_38 : frequency3 A A A votes + frequency3 A A B votes + frequency3 A B A votes + frequency3 A B B votes
    + frequency3 B A A votes + frequency3 B A B votes + frequency3 B B A votes + frequency3 B B B votes == 1.
  Proof. adds_up. Qed.

  (** What accuracies exceed frequencies by, and the moment of a pair (eq. 34). *)
  Definition excess_a (j : judge) : Q := accuracy A j on_a - frequency1 j A votes.
  Definition excess_b (j : judge) : Q := accuracy B j on_b - frequency1 j B votes.
  Definition pair_moment (i j : judge) : Q := frequency2 i j B B votes - frequency1 i B votes * frequency1 j B votes.
  (** Eq. 35: it is the same moment, whether of the answer [b] or of [a]. *)
  Theorem equation_35 : forall i j,
    pair_moment i j == frequency2 i j A A votes - frequency1 i A votes * frequency1 j A votes.
  Proof.
    intros i j. unfold pair_moment.
    assert (split_i : frequency1 i A votes == frequency2 i j A A votes + frequency2 i j A B votes)
      by (unfold frequency1, frequency2; rewrite <- mean_plus; apply mean_same; intros; cbn [gave]; ring).
    assert (split_j : frequency1 j A votes == frequency2 i j A A votes + frequency2 i j B A votes)
      by (unfold frequency1, frequency2; rewrite <- mean_plus; apply mean_same; intros; cbn [gave]; ring).
    assert (all := equation_18 i j). assert (one_i := frequencies_of_one i). assert (one_j := frequencies_of_one j).
    setoid_replace (frequency1 i B votes) with (1 - frequency1 i A votes) by (rewrite <- one_i; ring).
    setoid_replace (frequency1 j B votes) with (1 - frequency1 j A votes) by (rewrite <- one_j; ring).
    setoid_replace (frequency2 i j B B votes)
      with (1 - frequency2 i j A A votes - frequency2 i j A B votes - frequency2 i j B A votes) by (rewrite <- all; ring).
    rewrite split_i, split_j. ring.
  Qed.
  Let left_a (i j : judge) : Q := pair_correlation A i j on_a - pair_moment i j.
  Let left_b (i j : judge) : Q := pair_correlation B i j on_b - pair_moment i j.

  Lemma excess_a_is : forall j, excess_a j == (1 - p_a) * (accuracy A j on_a + accuracy B j on_b - 1).
  Proof.
    intro j. unfold excess_a. rewrite (single_postulates j A). cbn [rate sign]. unfold p_b.
    rewrite (prevalences _ _ is_key). fold p_a. ring.
  Qed.
  Lemma excess_b_is : forall j, excess_b j == p_a * (accuracy A j on_a + accuracy B j on_b - 1).
  Proof.
    intro j. unfold excess_b. rewrite (single_postulates j B). cbn [rate sign]. unfold p_b.
    rewrite (prevalences _ _ is_key). fold p_a. ring.
  Qed.
  Lemma pair_moment_is : forall i j, pair_moment i j ==
    p_a * (1 - p_a) * (accuracy A i on_a + accuracy B i on_b - 1) * (accuracy A j on_a + accuracy B j on_b - 1)
    + p_a * pair_correlation A i j on_a + (1 - p_a) * pair_correlation B i j on_b.
  Proof.
    intros i j. unfold pair_moment.
    rewrite (pair_postulates i j B B), (single_postulates i B), (single_postulates j B). cbn [rate sign]. unfold p_b.
    rewrite (prevalences _ _ is_key). fold p_a. ring.
  Qed.

  Ltac by_excess := intros; unfold left_a, left_b, p_b; rewrite ?excess_a_is, ?excess_b_is, ?pair_moment_is;
    rewrite ?(prevalences _ _ is_key); fold p_a; ring.

  (** Eq. 16 in rates, which is 33a and 33b for one judge and the other. *)
  Theorem equation_16 : forall j, p_a * excess_a j - p_b * excess_b j == 0.
  Proof. by_excess. Qed.
  Theorem equation_33c : forall i j, excess_a i * excess_b j - excess_b i * excess_a j == 0.
  Proof. by_excess. Qed.
  (** Eq. 33d, which is also 37: votes, prevalence and accuracies fix P_a Gamma_a + P_b Gamma_b; that they fix no more,
      [one_correlation_is_wrong] shows. *)
  Theorem equation_33d : forall i j,
    excess_a i * excess_b j + p_a * left_a i j + p_b * left_b i j == 0.
  Proof. by_excess. Qed.
  (** Eqs. 33e and 33f in their right form: the excess on [b] stands with the correlation on [a]. *)
  Theorem equation_33e : forall i j,
    excess_a i * excess_b j * (excess_a i + excess_b i) + excess_b i * left_a i j + excess_a i * left_b i j == 0.
  Proof. by_excess. Qed.
  Theorem equation_33f : forall i j,
    excess_a i * excess_b j * (excess_a j + excess_b j) + excess_b j * left_a i j + excess_a j * left_b i j == 0.
  Proof. by_excess. Qed.

  (** Errors and agreement over the whole test (eqs. 19, 27 to 30 and 32). *)
  Definition error (j : judge) : Q := p_a * (1 - accuracy A j on_a) + p_b * (1 - accuracy B j on_b).
  Definition agreement (i j : judge) : Q := frequency2 i j A A votes + frequency2 i j B B votes.
  Definition joint_error (i j : judge) : Q := p_a * frequency2 i j B B on_a + p_b * frequency2 i j A A on_b.

  Theorem equation_30 : forall i j, joint_error i j ==
    p_a * ((1 - accuracy A i on_a) * (1 - accuracy A j on_a) + pair_correlation A i j on_a)
    + p_b * ((1 - accuracy B i on_b) * (1 - accuracy B j on_b) + pair_correlation B i j on_b).
  Proof.
    intros i j. unfold joint_error, p_a, p_b.
    apply (weighted on_a on_b _ _ _ _ is_key); intro n.
    - rewrite (pair_on_label A i j B B on_a n). cbn [rate sign]. ring.
    - rewrite (pair_on_label B i j A A on_b n). cbn [rate sign]. ring.
  Qed.
  Theorem equation_28 : forall j, error j == 1 - p_a * accuracy A j on_a - p_b * accuracy B j on_b.
  Proof. intro j. unfold error, p_b. rewrite (prevalences _ _ is_key). fold p_a. ring. Qed.
  Theorem equation_27 : forall i j, agreement i j == 1 - error i - error j + 2 * joint_error i j.
  Proof.
    intros i j. rewrite (equation_30 i j). unfold agreement, error.
    rewrite (pair_postulates i j A A), (pair_postulates i j B B). cbn [rate sign]. unfold p_b.
    rewrite (prevalences _ _ is_key). fold p_a. ring.
  Qed.
  (** The exact defect of the product rule e_ij = e_i e_j. *)
  Theorem equation_32 : forall i j, joint_error i j - error i * error j ==
    p_a * pair_correlation A i j on_a + p_b * pair_correlation B i j on_b
    + p_a * p_b * (accuracy A i on_a - accuracy B i on_b) * (accuracy A j on_a - accuracy B j on_b).
  Proof.
    intros i j. rewrite (equation_30 i j). unfold error, p_b.
    rewrite (prevalences _ _ is_key). fold p_a. ring.
  Qed.

  (** Judges with e_ij = e_i e_j: eq. 22, without its division, and eq. 23 in its right form; c is the product of the
      1 - 2 e_i. *)
  Theorem product_rule : forall i j, joint_error i j == error i * error j ->
    2 * agreement i j - 1 == (1 - 2 * error i) * (1 - 2 * error j).
  Proof. intros i j rule. rewrite (equation_27 i j), rule. ring. Qed.
  Theorem equation_22 : forall i j k, joint_error j k == error j * error k ->
    (1 - 2 * error i) * (1 - 2 * error j) * (1 - 2 * error k) == (2 * error i - 1) * (1 - 2 * agreement j k).
  Proof.
    intros i j k rule. transitivity ((1 - 2 * error i) * (2 * agreement j k - 1)); [| ring].
    rewrite (product_rule j k rule). ring.
  Qed.
  Theorem equation_23 : forall i j k,
    joint_error i j == error i * error j -> joint_error i k == error i * error k ->
    joint_error j k == error j * error k ->
    let c := (1 - 2 * error i) * (1 - 2 * error j) * (1 - 2 * error k) in
    c * c == (2 * agreement i j - 1) * (2 * agreement i k - 1) * (2 * agreement j k - 1).
  Proof.
    intros i j k ij ik jk c. rewrite (product_rule i j ij), (product_rule i k ik), (product_rule j k jk). unfold c. ring.
  Qed.
End Key.

(** How often a judge gave an answer, in counts. Eqs. 11 and 12: to questions of either label; eq. 13: it gave one of the
    two answers to every question. *)
Definition times (j : judge) (p : label) (t : table) : Z :=
  match j, p with
  | First, A => count1 t | First, B => baa t + bab t + bba t + bbb t
  | Second, A => count2 t | Second, B => aba t + abb t + bba t + bbb t
  | Third, A => count3 t | Third, B => aab t + abb t + bab t + bbb t
  end%Z.
Theorem equations_11_and_12 : forall j p on_a on_b, (times j p (add on_a on_b) = times j p on_a + times j p on_b)%Z.
Proof. intros [] [] [] []; unfold times, count1, count2, count3, add; simpl; lia. Qed.
Theorem equation_13 : forall j on_a on_b,
  (times j A (add on_a on_b) + times j B (add on_a on_b) = size on_a + size on_b)%Z.
Proof. intros [] [] []; unfold times, count1, count2, count3, size, add; simpl; lia. Qed.

(** Eq. 16 in counts, in its right form: right on [a] less right on [b] is how often [a] was answered, less Q_b. *)
Theorem equation_16_in_counts : forall j on_a on_b,
  (times j A on_a - times j B on_b = times j A (add on_a on_b) - size on_b)%Z.
Proof. intros [] [] []; unfold times, count1, count2, count3, size, add; simpl; lia. Qed.
