"""Distributed programs with every conversion, uneven and empty shards, two axes."""

ZERO = """program zero
mesh rank=3
input x : f32[4, 5] sliced(0, sizes=2/0/2)
input c : i64[4] sliced(0, sizes=2/0/2)
parameter w : f32[5, 6] sliced(0, sizes=1/0/4)
parameter b : f32[6] sliced(0, sizes=3/2/1)
parameter a : f32[6] sliced(0)
state w.momentum : f32[5, 6] sliced(0, sizes=1/0/4)
state b.momentum : f32[6] sliced(0, sizes=3/2/1)
whole = AllGather(w, 0)
bias = AllGather(b, 0)
even = AllGather(a, 0)
y = tanh(matmul(x, whole) + bias + even)
high = AllReduce(max(y), max)
deep = AllReduce(max(0 - y), max)
e = y - one_hot(c, 6) * (high + deep)
loss = AllReduce(sum(e * e))
most = AllReduce(max(y), max)
g = e * (1 - y * y)
gw = ReduceScatter(matmul(transpose(x, 1, 0), g), 0, sizes=1/0/4)
gb = ReduceScatter(sum(g, 0), 0, sizes=3/2/1)
ga = ReduceScatter(sum(g, 0), 0)
mw = update(w.momentum, w.momentum * 0.9 + gw)
mb = update(b.momentum, b.momentum * 0.9 + gb)
w1 = update(w, w - mw * 0.01)
b1 = update(b, b - mb * 0.01)
a1 = update(a, a - ga * 0.01)
output loss
output most
"""
MOVED = """program moved
mesh rank=3
input x : f32[4, 6] sliced(0, sizes=1/3/0)
input z : f32[4, 6]
state s : f32[4, 6] sliced(1, sizes=4/1/1)
state kept : f32[4, 6]
columns = AllToAll(x, 0, 1, sizes=3/0/3)
other = Rebalance(columns, 1, sizes=4/1/1)
s1 = update(s, s * 0.5 + other)
scaled = Keep(z, 1) * 3
there = Reduce(scaled, 2)
doubled = there * 2
back = Broadcast(doubled, 2)
kept1 = update(kept, transpose(transpose(kept, 1, 0), 1, 0) + back)
mine = Slice(kept1, 1, sizes=4/1/1)
first = Reduce(Keep(z, 1), 0)
second = Send(first * 2, next)
third = Send(second + 1, next)
last = Broadcast(third, 2)
least = AllReduce(min(s1 - mine), min)
largest = ReduceScatter(max(s1 - mine, 1), 0, max, sizes=1/3/0)
low = Reduce(min(s1 + mine), 1, min)
lowest = Broadcast(low, 1)
loss = AllReduce(sum(s1 * mine) + sum(largest)) + least + lowest + sum(last)
output loss
"""
MESH = """program two_axes
mesh data=2, model=2
input x : f32[5, 6] sliced(0, data, sizes=2/3)
parameter w : f32[6, 7] sliced(0, data, sizes=4/2) sliced(0, model, sizes=2/2/2/0)
parameter v : f32[7, 3] sliced(0, model, sizes=5/2)
state w.momentum : f32[6, 7] sliced(0, data, sizes=4/2) sliced(0, model, sizes=2/2/2/0)
rows = AllGather(w, 0, axis=model)
whole = AllGather(rows, 0, axis=data)
columns = Slice(whole, 1, sizes=5/2, axis=model)
h = relu(matmul(x, columns))
y = AllReduce(matmul(h, v), axis=model)
loss = AllReduce(sum(y * y), axis=data) / ranks(data)
gv = AllReduce(matmul(transpose(h, 1, 0), y), axis=data)
gh = relu_backward(matmul(y, transpose(v, 1, 0)), h)
gw = AllGather(AllReduce(matmul(transpose(x, 1, 0), gh), axis=data), 1, axis=model)
cut = Slice(Slice(gw, 0, sizes=4/2, axis=data), 0, sizes=2/2/2/0, axis=model)
m1 = update(w.momentum, w.momentum * 0.9 + cut)
w1 = update(w, w - m1 * 0.01)
v1 = update(v, v - gv * 0.01)
output loss
"""
