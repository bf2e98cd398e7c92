; Who scattered more holds fewer rows: dF in eF, not equal, makes the product of sizes outside eF the smaller.
;
; Source: p2smt/reduction/semantics/README.md, section 6.3
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dF3 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const eF3 Bool)
(declare-const size1 (_ BitVec 4))
(declare-const size2 (_ BitVec 4))
(declare-const size3 (_ BitVec 4))

; Sizes from 2 to 15; what is multiplied is wide enough.
(assert (bvuge size1 #x2))
(assert (bvuge size2 #x2))
(assert (bvuge size3 #x2))

; dF is in eF and not equal to it.
(assert (and (and (or (not dF1) eF1) (or (not dF2) eF2) (or (not dF3) eF3)) (not (and (or (not eF1) dF1) (or (not
  eF2) dF2) (or (not eF3) dF3)))))

; The claim does not hold.
(define-fun t0 () (_ BitVec 12) ((_ zero_extend 8) size1))
(define-fun t1 () (_ BitVec 12) ((_ zero_extend 8) size2))
(define-fun t2 () (_ BitVec 12) ((_ zero_extend 8) size3))
(assert (not (bvult (bvmul (bvmul (ite eF1 #x001 t0) (ite eF2 #x001 t1)) (ite eF3 #x001 t2)) (bvmul (bvmul (ite dF1
  #x001 t0) (ite dF2 #x001 t1)) (ite dF3 #x001 t2)))))

(check-sat)
