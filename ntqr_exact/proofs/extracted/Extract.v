(** The boolean functions of the library as a program: OCaml made by Coq from what is proven. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From NtqrExact Require Import Keys Alarms Decision Kinds Silence Questions Safety.

Extraction "ntqr_proven.ml"
  negative_product imaginary irrational no_root contradiction out_of_range not_whole class_of decide silent
  single_alarm proves.
