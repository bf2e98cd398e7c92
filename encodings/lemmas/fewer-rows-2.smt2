; Who scattered more holds fewer rows: dF in eF, not equal, makes the product of sizes outside eF the smaller.
;
; Source: p2smt/reduction/semantics/README.md, section 6.3
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const size1 (_ BitVec 4))
(declare-const size2 (_ BitVec 4))

; Sizes from 2 to 15; what is multiplied is wide enough.
(assert (bvuge size1 #x2))
(assert (bvuge size2 #x2))

; dF is in eF and not equal to it.
(assert (and (and (or (not dF1) eF1) (or (not dF2) eF2)) (not (and (or (not eF1) dF1) (or (not eF2) dF2)))))

; The claim does not hold.
(define-fun t0 () (_ BitVec 8) ((_ zero_extend 4) size1))
(define-fun t1 () (_ BitVec 8) ((_ zero_extend 4) size2))
(assert (not (bvult (bvmul (ite eF1 #x01 t0) (ite eF2 #x01 t1)) (bvmul (ite dF1 #x01 t0) (ite dF2 #x01 t1)))))

(check-sat)
