(** Fewer equations than unknowns, all with zero on the right: some whole numbers, not all zero, solve them. *)

From Coq Require Import ZArith List Lia.
From NtqrExact Require Import Questions.
Import ListNotations.
Open Scope Z_scope.

(** An equation says that the sum of its coefficients times the unknowns, which are numbered from 0, is zero. *)
Definition left_side (n : nat) (equation unknown : nat -> Z) : Z :=
  total (fun b => equation b * unknown b) (seq 0 n).

Lemma total_app : forall {X} (f : X -> Z) xs ys, total f (xs ++ ys) = total f xs + total f ys.
Proof. intros X f xs ys. induction xs as [| x xs step]; simpl; lia. Qed.

Lemma left_side_last : forall n e x, left_side (S n) e x = left_side n e x + e n * x n.
Proof. intros. unfold left_side. rewrite seq_S, total_app. simpl. lia. Qed.

Lemma left_side_same : forall n e x y, (forall b, (b < n)%nat -> x b = y b) -> left_side n e x = left_side n e y.
Proof. intros n e x y same. apply total_same. intros b there. apply in_seq in there. rewrite same by lia. reflexivity. Qed.

Lemma left_side_times : forall n e x c, left_side n e (fun b => c * x b) = c * left_side n e x.
Proof. intros. unfold left_side. rewrite <- total_times. apply total_same. intros. lia. Qed.

Lemma left_side_zero : forall n e, left_side n e (fun _ => 0) = 0.
Proof. intros. apply total_zero. intros. lia. Qed.

(** The last unknown is taken out of the other equations by one that has it. *)
Lemma solvable : forall n equations, (length equations < n)%nat -> exists unknown : nat -> Z,
  (exists b, (b < n)%nat /\ unknown b <> 0) /\ (forall e, In e equations -> left_side n e unknown = 0).
Proof.
  induction n as [| n step]; intros equations fewer; [lia |].
  assert (choice : (forall e, In e equations -> e n = 0) \/ exists before e after, equations = before ++ e :: after /\ e n <> 0).
  { clear fewer. induction equations as [| e rest other]; [left; contradiction |].
    destruct (Z.eq_dec (e n) 0) as [zero | some]; [| right; exists [], e, rest; split; [reflexivity | exact some]].
    destruct other as [none | [before [f [after [-> some]]]]].
    - left. intros f [<- | there]; [exact zero | apply none; exact there].
    - right. exists (e :: before), f, after. split; [reflexivity | exact some]. }
  destruct choice as [none | [before [e [after [-> some]]]]].
  - exists (fun b => if Nat.eqb b n then 1 else 0). split.
    + exists n. rewrite Nat.eqb_refl. split; lia.
    + intros e there. rewrite left_side_last, (none e there), (left_side_same _ _ _ (fun _ => 0)), left_side_zero; [lia |].
      intros b less. destruct (Nat.eqb_spec b n); [lia | reflexivity].
  - destruct (step (map (fun f b => e n * f b - f n * e b) (before ++ after))) as [y [[b [less not_zero]] solved]].
    { rewrite map_length. rewrite app_length in *. simpl in fewer. lia. }
    exists (fun b => if Nat.eqb b n then - left_side n e y else e n * y b). split.
    + exists b. split; [lia |]. destruct (Nat.eqb_spec b n); [lia |]. apply Z.neq_mul_0. split; assumption.
    + assert (sides : forall f, left_side (S n) f (fun b => if Nat.eqb b n then - left_side n e y else e n * y b)
        = left_side n (fun b => e n * f b - f n * e b) y).
      { intro f. rewrite left_side_last, Nat.eqb_refl, (left_side_same _ _ _ (fun b => e n * y b)), left_side_times
          by (intros c small; destruct (Nat.eqb_spec c n); [lia | reflexivity]).
        transitivity (e n * left_side n f y + - f n * left_side n e y); [lia |].
        unfold left_side. rewrite <- !total_times, <- total_plus. apply total_same. intros. lia. }
      intros f there. rewrite sides. apply in_app_or in there.
      destruct there as [there | [<- | there]].
      * apply (solved (fun b => e n * f b - f n * e b)), in_map_iff. exists f. rewrite in_app_iff. tauto.
      * apply total_zero. intros. lia.
      * apply (solved (fun b => e n * f b - f n * e b)), in_map_iff. exists f. rewrite in_app_iff. tauto.
Qed.
