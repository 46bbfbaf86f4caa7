(** All votes of three judges on a number of questions, counted by class: the census inside Coq. *)

From Coq Require Import ZArith List Lia FinFun.
From NtqrExact Require Import Keys Kinds.
Import ListNotations.
Open Scope Z_scope.

(** Every list of so many counts with a given sum. *)
Fixpoint shared_out (places : nat) (sum : nat) : list (list Z) :=
  match places with
  | O => match sum with O => [[]] | S _ => [] end
  | S rest => flat_map (fun k => map (cons (Z.of_nat k)) (shared_out rest (sum - k))) (seq 0 (S sum))
  end.

Definition table_of (counts : list Z) : table :=
  let n k := nth k counts 0 in Table (n 0%nat) (n 1%nat) (n 2%nat) (n 3%nat) (n 4%nat) (n 5%nat) (n 6%nat) (n 7%nat).

Fixpoint increased (place : nat) (counts : list Z) : list Z :=
  match place, counts with
  | O, c :: rest => c + 1 :: rest
  | S p, c :: rest => c :: increased p rest
  | _, [] => []
  end.

(** How many votes of q questions are in each class, from 0 to 6; see [class_of]. *)
Definition census (q : nat) : list Z :=
  fold_right (fun counts found => increased (Z.to_nat (class_of (table_of counts))) found) [0; 0; 0; 0; 0; 0; 0]
    (shared_out 8 q).

(** The list has all counts of so many places with that sum, each once. *)
Theorem shared_out_all : forall places sum counts, In counts (shared_out places sum) <->
  length counts = places /\ Forall (fun c => 0 <= c) counts /\ fold_right Z.add 0 counts = Z.of_nat sum.
Proof.
  induction places as [| places step]; intros sum counts; cbn [shared_out].
  - destruct sum as [| sum]; split.
    + intros [<- | []]. repeat split. constructor.
    + intros [a _]. left. destruct counts; [reflexivity | discriminate].
    + contradiction.
    + intros [a [_ e]]. destruct counts; [cbn [fold_right] in e; lia | discriminate].
  - rewrite in_flat_map. split.
    + intros [k [among there]]. apply in_seq in among. apply in_map_iff in there. destruct there as [rest [<- there]].
      apply step in there. destruct there as [a [b e]]. cbn [length fold_right]. rewrite a, e.
      repeat split; [constructor; [lia | exact b] | lia].
    + destruct counts as [| c rest]; intros [a [b e]]; [discriminate |]. inversion b as [| ? ? low others]; subst.
      cbn [fold_right] in e. assert (rest_low : 0 <= fold_right Z.add 0 rest)
        by (clear - others; induction others; cbn [fold_right]; lia).
      exists (Z.to_nat c). split; [apply in_seq; lia |]. apply in_map_iff. exists rest. rewrite Z2Nat.id by lia.
      split; [reflexivity |]. apply step. cbn [length] in a. repeat split; [lia | exact others | lia].
Qed.

Lemma apart_once : forall (xs ys : list (list Z)), NoDup xs -> NoDup ys -> (forall x, In x xs -> ~ In x ys) -> NoDup (xs ++ ys).
Proof.
  induction xs as [| x xs step]; intros ys one two apart; [exact two |]. inversion one as [| ? ? fresh rest]; subst.
  cbn [app]. constructor.
  - intro there. apply in_app_iff in there. destruct there as [h | h]; [contradiction |]. exact (apart x (or_introl eq_refl) h).
  - apply step; try assumption. intros y there. apply apart. right. exact there.
Qed.

Theorem shared_out_once : forall places sum, NoDup (shared_out places sum).
Proof.
  induction places as [| places step]; intro sum; cbn [shared_out].
  - destruct sum; repeat constructor. intros [].
  - assert (distinct := seq_NoDup (S sum) 0). induction (seq 0 (S sum)) as [| k ks others]; cbn [flat_map]; [constructor |].
    inversion distinct as [| ? ? fresh rest]; subst. apply apart_once; [| apply others; exact rest |].
    + apply Injective_map_NoDup; [intros x y e; inversion e; reflexivity | apply step].
    + intros x here there. apply in_map_iff in here. destruct here as [y [<- _]]. apply in_flat_map in there.
      destruct there as [j [among there]]. apply in_map_iff in there. destruct there as [z [e _]].
      injection e as same _. apply Nat2Z.inj in same. subst j. contradiction.
Qed.

Lemma increased_is : forall found place k, (place < length found)%nat ->
  length (increased place found) = length found /\
  nth k (increased place found) 0 = nth k found 0 + (if Nat.eqb place k then 1 else 0).
Proof.
  induction found as [| c rest step]; intros place k h; cbn [length] in h; [lia |].
  destruct place as [| place]; destruct k as [| k]; cbn [increased nth length Nat.eqb].
  - split; lia.
  - split; [reflexivity | destruct (nth_in_or_default k rest 0); lia].
  - destruct (step place O ltac:(lia)) as [a _]. split; lia.
  - destruct (step place k ltac:(lia)) as [a b]. split; lia.
Qed.

Lemma class_within : forall v, 0 <= class_of v <= 6.
Proof.
  intro v. unfold class_of. destruct (_ || _)%bool; [lia |].
  repeat match goal with |- context [if ?b then _ else _] => destruct b; [lia |] end. lia.
Qed.

(** An entry of the census is the number of votes of its class. *)
Theorem census_counts : forall q k, (k < 7)%nat -> nth k (census q) 0 =
  Z.of_nat (length (filter (fun counts => class_of (table_of counts) =? Z.of_nat k) (shared_out 8 q))).
Proof.
  intros q k h. unfold census. generalize (shared_out 8 q). intro all.
  assert (both : length (fold_right (fun counts found => increased (Z.to_nat (class_of (table_of counts))) found)
      [0; 0; 0; 0; 0; 0; 0] all) = 7%nat /\
    nth k (fold_right (fun counts found => increased (Z.to_nat (class_of (table_of counts))) found)
      [0; 0; 0; 0; 0; 0; 0] all) 0 =
    Z.of_nat (length (filter (fun counts => class_of (table_of counts) =? Z.of_nat k) all))); [| apply both].
  induction all as [| counts all [a b]]; cbn [fold_right filter].
  - split; [reflexivity |]. do 7 (destruct k as [| k]; [reflexivity |]). lia.
  - assert (c := class_within (table_of counts)).
    destruct (increased_is (fold_right (fun counts found => increased (Z.to_nat (class_of (table_of counts))) found)
      [0; 0; 0; 0; 0; 0; 0] all) (Z.to_nat (class_of (table_of counts))) k ltac:(rewrite a; lia)) as [d e].
    split; [rewrite d; exact a |]. rewrite e, b.
    destruct (Nat.eqb_spec (Z.to_nat (class_of (table_of counts))) k);
      destruct (Z.eqb_spec (class_of (table_of counts)) (Z.of_nat k));
      cbn [length]; lia.
Qed.
