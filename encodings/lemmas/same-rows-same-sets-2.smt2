; Members with different scattered levels hold different rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const L2 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const e1 (_ BitVec 16))
(declare-const e2 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(assert (bvult d1 size1))
(assert (bvult d2 size2))
(assert (bvult e1 size1))
(assert (bvult e2 size2))

; d and e are in one group along L.
(assert (and (or (not (not L1)) (= d1 e1)) (or (not (not L2)) (= d2 e2))))

; The claim does not hold.
(define-fun t2 () Bool (not dF1))
(define-fun t3 () Bool (not dF2))
(define-fun t4 () Bool (not eF1))
(define-fun t5 () (_ BitVec 16) (ite (and dF1 t4) (ite (= d1 #x0000) #x0001 #x0000) e1))
(define-fun t6 () Bool (not eF2))
(define-fun t7 () (_ BitVec 16) (ite (and dF2 t6) (ite (= d2 #x0000) #x0001 #x0000) e2))
(assert (not (or (and (or t2 eF1) (or t3 eF2)) (and (and (or t4 (= t5 e1)) (or t6 (= t7 e2))) (not (and (or t2 (= t5
  d1)) (or t3 (= t7 d2)))) (and t0 t1 (bvult t5 size1) (bvult t7 size2))))))

(check-sat)
