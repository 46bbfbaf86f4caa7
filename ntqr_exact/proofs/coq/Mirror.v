(** Two labels: a key and its mirror image, in which the labels are exchanged, are equally dependent, and one of them has
    a given judge no worse than chance. So this alone is no restriction. *)

From Coq Require Import ZArith QArith Qabs List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Budget Boxes.
Import ListNotations.
Open Scope Z_scope.

Definition mirror (test : list question) : list question :=
  map (fun q => Question (1 - truth q) (answers q)) test.

Section Mirror.
  Variables (votes : counted) (test : list question).
  Hypothesis of_votes : test_of 2 votes test.

  Lemma mirrored_label : forall q l, In q test -> (l < 2)%nat -> Nat.eqb (1 - truth q) l = Nat.eqb (truth q) (1 - l).
  Proof.
    intros q l there known_label. assert (h := proj2 of_votes q there).
    destruct (truth q) as [| [| n]]; destruct l as [| [| l]]; try lia; reflexivity.
  Qed.

  Lemma mirrored_sum : forall l f, (l < 2)%nat -> on l f (mirror test) = on (1 - l) f test.
  Proof.
    intros l f known_label. assert (h := mirrored_label). revert h. unfold on, mirror, total. clear of_votes.
    induction test as [| q rest step]; intro h; [reflexivity |]. cbn [map fold_right truth answers].
    rewrite (h q l (or_introl eq_refl) known_label).
    rewrite step; [reflexivity |]. intros p k there. apply h. right. exact there.
  Qed.

  Lemma mirrored_mean : forall l f, (l < 2)%nat -> mean_on l f (mirror test) = mean_on (1 - l) f test.
  Proof.
    intros l f known_label. unfold mean_on. rewrite (questions_on l), (questions_on (1 - l)), mirrored_sum by exact known_label.
    f_equal. assert (h := mirrored_label). revert h. unfold mirror. clear of_votes.
    induction test as [| q rest step]; intro h; [reflexivity |]. cbn [map fold_right truth answers].
    rewrite (h q l (or_introl eq_refl) known_label).
    rewrite step; [reflexivity |]. intros p k there. apply h. right. exact there.
  Qed.

  Lemma mirror_of_votes : test_of 2 votes (mirror test).
  Proof.
    split.
    - intro p. rewrite <- (proj1 of_votes p). unfold count, mirror, total. clear of_votes.
      induction test as [| q rest step]; [reflexivity |]. cbn [map fold_right truth answers]. rewrite step. reflexivity.
    - intros q there. apply in_map_iff in there. destruct there as [p [<- _]]. cbn [truth]. lia.
  Qed.

  Lemma mirror_within : forall judges pairs trios delta,
    within 2 judges pairs trios delta test -> within 2 judges pairs trios delta (mirror test).
  Proof.
    intros judges pairs trios delta [two three]. split.
    - intros yes l i r j s known_label order nr ns. unfold pair_correlation, beyond, rate.
      rewrite !mirrored_mean by exact known_label. apply (two yes (1 - l)%nat i r j s); [lia | | |]; assumption.
    - intros yes l i r j s k t known_label order order' nr ns nt. unfold trio_correlation, beyond, rate.
      rewrite !mirrored_mean by exact known_label. apply (three yes (1 - l)%nat i r j s k t); [lia | | | | |]; assumption.
  Qed.

  Lemma one_is_better : forall i, 0 < total snd votes ->
    no_worse_than_chance 2 votes test i \/ no_worse_than_chance 2 votes (mirror test) i.
  Proof.
    intros i some. destruct (Qlt_le_dec (rate 0 i 0 test) (share i 0 votes)) as [worse | better];
      [| left; intros r [<- | []] _; exact better].
    destruct (Z.eq_dec (questions_of 0 test) 0) as [none | n]; [left; intros r [<- | []] h; lia |].
    right. intros r [<- | []] h. unfold rate. rewrite mirrored_mean by lia. fold (rate 1 i 0 test).
    rewrite questions_on, mirrored_sum, <- questions_on in h by lia. simpl in h.
    assert (zero : 0 < questions_of 0 test) by (assert (k := count_low (fun q => Nat.eqb (truth q) 0) test);
      unfold questions_of in *; lia).
    assert (answers_sum := by_labels 2 votes test of_votes (gave i 0)). simpl in answers_sum.
    assert (sizes := by_labels 2 votes test of_votes (fun _ => 1)). simpl in sizes. rewrite <- !questions_on in sizes.
    rewrite (total_same _ snd) in sizes by (intros; lia). fold (given i 0 votes) in answers_sum.
    change (1 - 0)%nat with 1%nat. rewrite (rate_is 0 test i 0) in worse. rewrite (rate_is 1 test i 0). unfold share in *.
    apply Qlt_not_le in worse. apply Qnot_lt_le. intro less. apply worse. clear worse. apply Qlt_le_weak in less.
    unfold Qle, Qdiv, Qmult, Qinv, inject_Z in *.
    destruct (total snd votes) as [| size |]; try lia. destruct (questions_of 0 test) as [| m |]; try lia.
    destruct (questions_of 1 test) as [| k |]; try lia. simpl in *. rewrite !Z.mul_1_r in *. nia.
  Qed.
End Mirror.

(** A proof that the checker accepts, of two labels, without conditions, and with at most one judge taken to be no worse
    than chance, is about every key of these votes: none is within the budget, as some correlation exceeds it. *)
Theorem excludes_sound_for_all : forall judges pairs trios delta unit better votes tree, (length better <= 1)%nat ->
  excludes 2 judges pairs trios delta unit better [] votes tree = true ->
  ~ exists test, test_of 2 votes test /\ within 2 judges pairs trios delta test.
Proof.
  intros judges pairs trios delta unit better votes tree few holds [test [of_votes in_budget]].
  assert (no := excludes_sound 2 judges pairs trios delta unit better [] votes tree holds). apply no.
  assert (some : 0 < total snd votes).
  { unfold excludes, size in holds. rewrite !andb_true_iff, Z.ltb_lt in holds. tauto. }
  destruct better as [| i [| j rest]]; [| | simpl in few; lia].
  - exists test. repeat split; try apply of_votes; try apply in_budget; contradiction.
  - destruct (one_is_better votes test of_votes i some) as [h | h]; [exists test | exists (mirror test)].
    + repeat split; try apply of_votes; try apply in_budget; [intros k [<- | []]; exact h | contradiction].
    + assert (a := mirror_of_votes votes test of_votes). assert (b := mirror_within votes test of_votes _ _ _ _ in_budget).
      repeat split; try apply a; try apply b; [intros k [<- | []]; exact h | contradiction].
Qed.
