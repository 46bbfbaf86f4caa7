(** Tests of any number of judges and labels: a list of questions, each with its true label and everybody's answers.

    True labels are numbers below [labels]; the answers of a question, numbers too, stand in the order of the judges.
    Votes say how often each list of answers was seen. *)

From Coq Require Import ZArith List Lia Bool PeanoNat.
Import ListNotations.
Open Scope Z_scope.

Record question := Question { truth : nat; answers : list nat }.
Definition pattern := list nat.
Definition counted := list (pattern * Z).

(** Sums and counts over a list. *)
Definition total {X} (f : X -> Z) (xs : list X) : Z := fold_right (fun x rest => f x + rest) 0 xs.
Definition indicator (b : bool) : Z := if b then 1 else 0.
Definition count {X} (p : X -> bool) (xs : list X) : Z := total (fun x => indicator (p x)) xs.

Definition same_pattern (p q : pattern) : bool := if list_eq_dec Nat.eq_dec p q then true else false.

(** A test is one of these votes if each list of answers occurs as often as they say, and all labels are known. *)
Definition seen (votes : counted) (p : pattern) : Z := total (fun v => indicator (same_pattern (fst v) p) * snd v) votes.
Definition test_of (labels : nat) (votes : counted) (test : list question) : Prop :=
  (forall p, count (fun q => same_pattern (answers q) p) test = seen votes p) /\
  (forall q, In q test -> (truth q < labels)%nat).

(** What judge j answered, how many questions a label has, how many of them judge j answered rightly. *)
Definition answer_of (j : nat) (q : question) : nat := nth j (answers q) O.
Definition questions_of (l : nat) (test : list question) : Z := count (fun q => Nat.eqb (truth q) l) test.
Definition right_answers (j l : nat) (test : list question) : Z :=
  count (fun q => Nat.eqb (truth q) l && Nat.eqb (answer_of j q) l) test.

(** Sums, as one knows them. *)
Section Sums.
  Context {X : Type}.
  Lemma total_plus : forall (f g : X -> Z) xs, total (fun x => f x + g x) xs = total f xs + total g xs.
  Proof. intros f g xs. induction xs as [| x xs step]; simpl; lia. Qed.
  Lemma total_times : forall c (f : X -> Z) xs, total (fun x => c * f x) xs = c * total f xs.
  Proof. intros c f xs. induction xs as [| x xs step]; simpl; lia. Qed.
  Lemma total_same : forall (f g : X -> Z) xs, (forall x, In x xs -> f x = g x) -> total f xs = total g xs.
  Proof.
    intros f g xs. induction xs as [| x xs step]; intro same; simpl; [reflexivity |].
    rewrite (same x (or_introl eq_refl)), step; [reflexivity |]. intros y there. apply same. right. exact there.
  Qed.
  Lemma total_le : forall (f g : X -> Z) xs, (forall x, In x xs -> f x <= g x) -> total f xs <= total g xs.
  Proof.
    intros f g xs. induction xs as [| x xs step]; intro less; simpl; [lia |].
    assert (h := less x (or_introl eq_refl)). assert (total f xs <= total g xs); [| lia].
    apply step. intros y there. apply less. right. exact there.
  Qed.
  Lemma total_zero : forall (f : X -> Z) xs, (forall x, In x xs -> f x = 0) -> total f xs = 0.
  Proof.
    intros f xs zero. rewrite (total_same f (fun _ => 0 * 0)) by exact zero. rewrite total_times. lia.
  Qed.
End Sums.

Section MoreSums.
  Context {X Y : Type}.
  Lemma total_swap : forall (f : X -> Y -> Z) xs ys,
    total (fun x => total (f x) ys) xs = total (fun y => total (fun x => f x y) xs) ys.
  Proof.
    intros f xs ys. induction xs as [| x xs step]; simpl.
    - symmetry. apply total_zero. reflexivity.
    - rewrite step, <- total_plus. reflexivity.
  Qed.
  (** A sum over different things in which only one of them counts. *)
  Lemma total_of_one : forall (same : X -> bool) (f : X -> Z) (x : X) xs,
    (forall y, same y = true <-> y = x) -> NoDup xs -> In x xs -> total (fun y => indicator (same y) * f y) xs = f x.
  Proof.
    intros same f x xs means. induction xs as [| y xs step]; intros different there; [contradiction |].
    inversion different as [| ? ? fresh rest]; subst. simpl. destruct there as [here | there].
    - subst y. rewrite (proj2 (means x) eq_refl). rewrite total_zero; [unfold indicator; lia |].
      intros y there. destruct (same y) eqn:e; [| unfold indicator; lia]. apply means in e. subst y. contradiction.
    - destruct (same y) eqn:e; [apply means in e; subst y; contradiction |].
      rewrite step by assumption. unfold indicator. lia.
  Qed.
End MoreSums.

Lemma same_pattern_iff : forall p q, same_pattern p q = true <-> p = q.
Proof. intros p q. unfold same_pattern. destruct (list_eq_dec Nat.eq_dec p q); split; congruence. Qed.

Lemma count_low : forall {X} (p : X -> bool) xs, 0 <= count p xs.
Proof.
  intros X p xs. unfold count. transitivity (total (fun _ : X => 0) xs); [rewrite total_zero; [lia | reflexivity] |].
  apply total_le. intros z _. unfold indicator. destruct (p z); lia.
Qed.

Lemma count_positive : forall {X} (p : X -> bool) x xs, In x xs -> p x = true -> 0 < count p xs.
Proof.
  intros X p x xs. induction xs as [| y xs step]; intros there holds; [contradiction |].
  assert (low := count_low p xs).
  unfold count in *. simpl. destruct there as [here | there].
  - subst y. rewrite holds. unfold indicator at 1. lia.
  - specialize (step there holds). unfold indicator at 1. destruct (p y); lia.
Qed.

Lemma count_le : forall {X} (p q : X -> bool) xs, (forall x, p x = true -> q x = true) -> count p xs <= count q xs.
Proof.
  intros X p q xs less. apply total_le. intros x _. unfold indicator.
  destruct (p x) eqn:e; [rewrite (less x e); lia | destruct (q x); lia].
Qed.

(** Votes, of counts that are not negative, have tests: who proves that no test has a property does not speak of nothing. *)
Theorem some_test : forall labels votes, (0 < labels)%nat -> (forall v, In v votes -> 0 <= snd v) ->
  exists test, test_of labels votes test.
Proof.
  intros labels votes positive low. induction votes as [| [a n] votes step].
  - exists []. split; [reflexivity | contradiction].
  - destruct step as [test [counts known]]; [intros v there; apply low; right; exact there |].
    exists (repeat (Question 0 a) (Z.to_nat n) ++ test). split.
    + intro p. unfold seen. cbn [total fold_right fst snd].
      fold (total (fun v => indicator (same_pattern (fst v) p) * snd v) votes).
      fold (seen votes p). rewrite <- counts. assert (some : 0 <= n) by exact (low (a, n) (or_introl eq_refl)).
      rewrite <- (Z2Nat.id n) at 2 by exact some. generalize (Z.to_nat n) as k.
      induction k as [| k more]; [simpl; lia |]. unfold count, total in *. cbn [repeat app fold_right answers].
      rewrite more, Nat2Z.inj_succ. lia.
    + intros q there. apply in_app_or in there. destruct there as [there | there]; [| apply known; exact there].
      apply repeat_spec in there. subst q. exact positive.
Qed.

(** Of the things in a list some has a property, or none has. *)
Lemma some_or_none : forall {X} (p : X -> bool) xs, (exists x, In x xs /\ p x = true) \/ (forall x, In x xs -> p x = false).
Proof.
  intros X p xs. induction xs as [| x xs step]; [right; contradiction |].
  destruct (p x) eqn:e; [left; exists x; simpl; tauto |].
  destruct step as [[y [there yes]] | none]; [left; exists y; simpl; tauto |].
  right. intros y [<- | there]; [exact e | apply none; exact there].
Qed.

Section Test.
  Variables (labels : nat) (votes : counted) (test : list question).
  Hypothesis of_votes : test_of labels votes test.

  Definition patterns : list pattern := nodup (list_eq_dec Nat.eq_dec) (map fst votes).

  Lemma answers_are_seen : forall q, In q test -> In (answers q) patterns.
  Proof.
    intros q there. unfold patterns. apply nodup_In.
    destruct (in_dec (list_eq_dec Nat.eq_dec) (answers q) (map fst votes)) as [yes | no]; [exact yes | exfalso].
    assert (some : 0 < seen votes (answers q)).
    { rewrite <- (proj1 of_votes). apply (count_positive _ q); [exact there | apply same_pattern_iff; reflexivity]. }
    assert (none : seen votes (answers q) = 0); [| lia].
    apply total_zero. intros v in_votes. destruct (same_pattern (fst v) (answers q)) eqn:e; [| unfold indicator; lia].
    apply same_pattern_iff in e. exfalso. apply no. rewrite <- e. apply in_map. exact in_votes.
  Qed.

  (** Sums over questions of what only the answers tell are sums over the votes. *)
  Theorem total_by_votes : forall h : pattern -> Z,
    total (fun q => h (answers q)) test = total (fun v => snd v * h (fst v)) votes.
  Proof.
    intro h. transitivity (total (fun p => seen votes p * h p) patterns).
    - transitivity (total (fun q => total (fun p => indicator (same_pattern (answers q) p) * h p) patterns) test).
      + apply total_same. intros q there. symmetry. apply total_of_one.
        * intro p. rewrite same_pattern_iff. split; congruence.
        * apply NoDup_nodup.
        * apply answers_are_seen. exact there.
      + rewrite total_swap. apply total_same. intros p _. rewrite <- (proj1 of_votes p). unfold count.
        rewrite Z.mul_comm, <- total_times. apply total_same. intros. lia.
    - transitivity (total (fun p => total (fun v => indicator (same_pattern (fst v) p) * snd v * h p) votes) patterns).
      + apply total_same. intros p _. unfold seen. rewrite Z.mul_comm, <- total_times.
        apply total_same. intros. lia.
      + rewrite total_swap. apply total_same. intros v there.
        rewrite (total_same _ (fun p => indicator (same_pattern (fst v) p) * (snd v * h p))) by (intros; lia).
        apply (total_of_one (fun p => same_pattern (fst v) p) (fun p => snd v * h p)).
        * intro p. rewrite same_pattern_iff. split; congruence.
        * apply NoDup_nodup.
        * apply nodup_In. apply in_map. exact there.
  Qed.

  (** Every question has one label. *)
  Theorem total_by_labels : forall h : nat -> question -> Z,
    total (fun q => h (truth q) q) test =
    total (fun l => total (fun q => indicator (Nat.eqb (truth q) l) * h l q) test) (seq 0 labels).
  Proof.
    intro h. rewrite <- total_swap. apply total_same. intros q there. symmetry.
    apply (total_of_one (fun l => Nat.eqb (truth q) l) (fun l => h l q)).
    - intro l. rewrite Nat.eqb_eq. split; congruence.
    - apply seq_NoDup.
    - apply in_seq. assert (low := proj2 of_votes q there). lia.
  Qed.
End Test.
