(** All votes of three judges on a number of questions, counted by class: the census inside Coq. *)

From Coq Require Import ZArith List.
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
