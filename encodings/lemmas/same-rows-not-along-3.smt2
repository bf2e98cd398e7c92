; Where the group varies along a scattered level, not all members hold the same rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const L2 Bool)
(declare-const L3 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const d3 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dF3 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))
(declare-const size3 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(define-fun t2 () Bool (bvuge size3 #x0002))
(assert t2)
(assert (bvult d1 size1))
(assert (bvult d2 size2))
(assert (bvult d3 size3))

; The claim does not hold.
(define-fun t3 () Bool (and L1 dF1))
(define-fun t4 () Bool (and L2 dF2))
(define-fun t5 () Bool (and L3 dF3))
(define-fun t6 () Bool (not dF1))
(define-fun t7 () Bool (not dF2))
(define-fun t8 () Bool (not dF3))
(define-fun t9 () (_ BitVec 16) (ite t3 (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t10 () Bool (= d1 t9))
(define-fun t11 () (_ BitVec 16) (ite t4 (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t12 () Bool (= d2 t11))
(define-fun t13 () (_ BitVec 16) (ite t5 (ite (= d3 #x0000) #x0001 #x0000) d3))
(define-fun t14 () Bool (= d3 t13))
(define-fun t15 () Bool (and (and (or t6 (= d1 d1)) (or t7 (= d2 d2)) (or t8 (= d3 d3))) (not (and (or t6 t10) (or
  t7 t12) (or t8 t14))) (and (and t0 t1 t2 (bvult t9 size1) (bvult t11 size2) (bvult t13 size3)) (and (or (not (not
  L1)) t10) (or (not (not L2)) t12) (or (not (not L3)) t14)) (not (and t10 t12 t14)))))
(assert (not (or (and (not t3) (not t4) (not t5)) t15)))

(check-sat)
