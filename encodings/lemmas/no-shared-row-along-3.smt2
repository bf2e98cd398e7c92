; Where the group varies along a level that d has not scattered, another member holds a row of d's.
;
; Source: p2smt/reduction/semantics/README.md, section 3.2
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
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const eF3 Bool)
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
(define-fun t3 () Bool (not L1))
(define-fun t4 () Bool (not L2))
(define-fun t5 () Bool (not L3))
(define-fun t6 () Bool (not dF1))
(define-fun t7 () (_ BitVec 16) (ite (and L1 t6) (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t8 () Bool (not dF2))
(define-fun t9 () (_ BitVec 16) (ite (and L2 t8) (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t10 () Bool (not dF3))
(define-fun t11 () (_ BitVec 16) (ite (and L3 t10) (ite (= d3 #x0000) #x0001 #x0000) d3))
(define-fun t12 () Bool (= d1 t7))
(define-fun t13 () Bool (= d2 t9))
(define-fun t14 () Bool (= d3 t11))
(define-fun t15 () Bool (and (and (or t6 (= t7 d1)) (or t8 (= t9 d2)) (or t10 (= t11 d3))) (and (or (not eF1) (= t7
  t7)) (or (not eF2) (= t9 t9)) (or (not eF3) (= t11 t11))) (and (and t0 t1 t2 (bvult t7 size1) (bvult t9 size2)
  (bvult t11 size3)) (and (or (not t3) t12) (or (not t4) t13) (or (not t5) t14)) (not (and t12 t13 t14)))))
(assert (not (or (and (or t3 dF1) (or t4 dF2) (or t5 dF3)) t15)))

(check-sat)
