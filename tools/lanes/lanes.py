#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make of the engine's step, as code of LLVM, one that does it for several sims side by side: docs/theory/batch.md says how.

usage: lanes.py IN.bc IN.ll OUT.ll LANES SITES"""
import re
import sys

import llvm
from emit import Emit, wrapper
from llvm import FLOATS, is_id

MOST = 800           # instructions in what is done for some lanes first, for others then


class Lanes:
    def __init__(self, module, lanes, sites):
        self.m, self.n = module, lanes
        self.shift = lanes.bit_length() - 1
        self.sites = sites
        self.type = {}      # of values
        self.def_of = {}    # instructions by value
        self.wide = set()   # values that differ from lane to lane
        self.raw = set()    # words of memory that are only carried
        self.wide_return = set()
        self.joins = set()
        self.taken = set()  # functions whose address is taken
        for f in module.functions.values():
            for p, t in f.params:
                self.type[p] = t
            for b in f.blocks:
                for i in b.inst:
                    self.type[i.id], self.def_of[i.id] = i.type, i
            for b in f.blocks:
                for i in b.inst:
                    for a in i.args:
                        if is_id(a) and a in f.insts:
                            f.insts[a].uses.append(i)
                    for k, a in enumerate(i.args):
                        if not is_id(a) and a[0] == "f":
                            self.taken.add(a[2])
        for v in module.variables.values():
            self.taken |= set(re.findall(r"@([\w.]+)", self.initial(v)))
        self.lay_out()
        for f in module.functions.values():
            self.shape(f)
            self.find_raw(f)
        self.classify()

    # ---- tables in the arena ----------------------------------------------------------------------------------------

    def initial(self, v):
        get = llvm.c("GetInitializer", llvm.P, llvm.P)(v)
        if not get:
            return ""
        if llvm.is_function(get) or llvm.is_variable(get):
            return "ptr @" + llvm.name_of(get)
        return llvm.text(llvm.print_value(get))

    def lay_out(self):
        self.at, at = {}, 0
        members, values = [], []
        for name, v in self.m.variables.items():
            words = self.initial(v)
            if not words:
                continue
            t = llvm.c("GlobalGetValueType", llvm.P, llvm.P)(v)
            size = self.m.size(t)
            begin = (at + 63) // 64 * 64
            if begin > at:
                members.append(f"[{begin - at} x i8]")
                values.append(f"[{begin - at} x i8] zeroinitializer")
            self.at[name] = (begin, size)
            members.append(llvm.type_text(t).split(" = type")[0])
            values.append(words)
            at = begin + size
        self.size = (at + 63) // 64 * 64

        def placed(found):
            name = found.group(1)
            if name in self.at:
                return f"getelementptr inbounds (i8, ptr @lanes_globals, i64 {self.at[name][0]})"
            if name in self.m.functions:
                return f'@"W.{name}"'
            return "null"

        # names stand in texts too, which are of no use here
        values = [re.sub(r"@([\w.]+)", placed, x) if ' c"' not in x else x for x in values]
        self.tables = [f"@lanes_globals = constant <{{ {', '.join(members)} }}> <{{ {', '.join(values)} }}>, align 64"]
        rows = [f"{{ ptr, i64, i64 }} {{ ptr @{n}, i64 {a}, i64 {s} }}" for n, (a, s) in self.at.items()]
        self.tables.append(f"@lanes_table = constant [{len(rows)} x {{ ptr, i64, i64 }}] [{', '.join(rows)}]")
        self.tables.append(f"@lanes_table_count = constant i64 {len(rows)}")
        self.tables.append(f"@lanes_globals_size = constant i64 {self.size}")
        self.tables.append(f"@lanes_count = constant i64 {self.n}")

    # ---- what lies between a branch and where both ways meet ----------------------------------------------------------

    def shape(self, f):
        ends = [b for b in f.blocks if b.inst[-1].op == "ret"]
        doomed = set()
        changed = True
        while changed:
            changed = False
            for b in reversed(f.blocks):
                if b not in doomed and b.inst[-1].op != "ret" and all(n in doomed for n in b.next):
                    doomed.add(b)
                    changed = True
        order, seen = [], set()

        def walk(root):
            stack = [(root, iter(root.before))]
            seen.add(root)
            while stack:
                b, rest = stack[-1]
                for n in rest:
                    if n not in seen and n not in doomed:
                        seen.add(n)
                        stack.append((n, iter(n.before)))
                        break
                else:
                    order.append(b)
                    stack.pop()

        f.after = {}
        if len(ends) != 1:
            return
        walk(ends[0])
        order.reverse()
        place = {b: k for k, b in enumerate(order)}
        after = {ends[0]: ends[0]}
        changed = True
        while changed:
            changed = False
            for b in order[1:]:
                new = None
                for n in b.next:
                    if n in after and n in place:
                        if new is None:
                            new = n
                            continue
                        x, y = n, new
                        while x is not y:
                            while place[x] > place[y]:
                                x = after[x]
                            while place[y] > place[x]:
                                y = after[y]
                        new = x
                if new is not None and after.get(b) is not new:
                    after[b] = new
                    changed = True
        del after[ends[0]]
        f.after = after

    @staticmethod
    def side(start, stop):
        """Blocks from start on, in an order in which what comes before stands before; stop is left out."""
        if start is stop:
            return []
        seen, order = {start}, []
        stack = [(start, iter(start.next))]
        while stack:
            b, rest = stack[-1]
            for n in rest:
                if n is not stop and n not in seen:
                    seen.add(n)
                    stack.append((n, iter(n.next)))
                    break
            else:
                order.append(b)
                stack.pop()
        order.reverse()
        return order

    def cost(self, f, b):
        """Of doing both ways of the branch at the end of b; None: it cannot be."""
        if b in f.costs:
            return f.costs[b]
        f.costs[b] = None
        end = f.after.get(b)
        if end is None:
            return None
        whole = 0
        for start in b.next:
            blocks = self.side(start, end)
            if b in blocks:
                return None
            for x in blocks:
                whole += len(x.inst)
                if self.splits(x) and self.cost(f, x) is not None:
                    whole += self.cost(f, x)
                if whole > MOST:
                    return None
        f.costs[b] = whole
        return whole

    def splits(self, b):
        last = b.inst[-1]
        return last.op == "br" and len(last.args) == 1 and self.is_wide(last.args[0])

    # ---- what differs from lane to lane --------------------------------------------------------------------------------

    def find_raw(self, f):
        """Words that are loaded as whole numbers and only stored again: they may be anything."""
        maybe = {i.id for b in f.blocks for i in b.inst
                 if i.type == "i64" and (i.op == "phi" or i.op == "select" or (i.op == "load" and not i.more and i.is_whole_word))}
        changed = True
        while changed:
            changed = False
            for v in list(maybe):
                i = f.insts[v]
                fine = bool(i.uses) and all(u.op == "store" and u.args[0] == v and u.is_whole_word or u.op in ("phi", "select") and u.id in maybe
                                            and (u.op == "phi" or u.args[0] != v) for u in i.uses)
                if i.op != "load":
                    fine = fine and all(not is_id(a) or a in maybe for a in (i.args if i.op == "phi" else i.args[1:]))
                if not fine:
                    maybe.discard(v)
                    changed = True
        self.raw |= maybe
        self.wide |= maybe

    @staticmethod
    def is_bits(f, i):
        """Words that are read without saying what they are: the bits of numbers."""
        if i.type != "i64" or i.has_type or not i.is_whole_word:
            return False
        a = i.args[0]
        while is_id(a) and a in f.insts and f.insts[a].op == "gep":
            a = f.insts[a].args[0]
        return is_id(a)

    def is_wide(self, a):
        return is_id(a) and a in self.wide

    def widens(self, f, i):
        t = i.type
        if t == "void" or i.op == "alloca":
            return False
        if t in FLOATS or t.startswith("{"):
            return True
        if i.op in ("fcmp", "fptosi", "fptoui"):
            return True
        if i.op == "load":
            return i.more or self.is_wide(i.args[0]) or self.is_bits(f, i)
        if i.op == "call":
            to = i.more[0]
            if is_id(to):
                return False
            name = to[2] if to[0] == "f" else to[2].lstrip("@")
            if name in self.m.functions:
                return name in self.wide_return
            return name.startswith("llvm.") and any(self.is_wide(a) for a in i.args)
        if i.op == "phi" and i.id in self.joins:
            return True
        return any(self.is_wide(a) for a in i.args)

    def classify(self):
        for f in self.m.functions.values():
            for p, t in f.params:
                if t in FLOATS:
                    self.wide.add(p)
        changed = True
        while changed:
            changed = False
            for f in self.m.functions.values():
                f.costs = {}
                again = True
                while again:
                    again = False
                    for b in f.blocks:
                        for i in b.inst:
                            if i.id not in self.wide and self.widens(f, i):
                                self.wide.add(i.id)
                                again = True
                    f.costs = {}
                    for b in f.blocks:
                        if self.splits(b) and self.cost(f, b) is not None:
                            again |= self.join(f, b)
                    changed |= again
                for b in f.blocks:
                    for i in b.inst:
                        if i.op == "ret" and i.args and self.is_wide(i.args[0]) and not f.name.startswith("biela_") and f.returns not in FLOATS and \
                                not f.returns.startswith("{") and f.returns != "ptr" and f.name not in self.taken \
                                and f.name not in self.wide_return:
                            self.wide_return.add(f.name)
                            changed = True
                        if i.op == "call" and not is_id(i.more[0]):
                            g = self.m.functions.get(i.more[0][2].lstrip("@"))
                            if g and g.name not in self.taken:
                                for a, (p, t) in zip(i.args, g.params):
                                    if self.is_wide(a) and t != "ptr" and p not in self.wide:
                                        self.wide.add(p)
                                        changed = True

    def join(self, f, b):
        """Numbers that are different ones at the end of both ways differ from lane to lane from there on."""
        end, found = f.after[b], False
        one, other = set(self.side(b.next[0], end)), set(self.side(b.next[1], end))
        inside, both = one | other | {b}, one & other
        for i in end.inst:
            if i.op != "phi":
                break
            values = {str(a) for a, x in zip(i.args, i.more) if f.block_of[x] in inside}
            twice = any(is_id(a) and a in f.insts and f.insts[a].block in both for a in i.args)
            if (len(values) > 1 or twice) and i.id not in self.joins:
                self.joins.add(i.id)
                found = True
        return found

    # ---- types ----------------------------------------------------------------------------------------------------------

    def vector(self, t):
        if t.startswith("{"):
            return "{ " + ", ".join(self.vector(x.strip()) if x.strip() in FLOATS else x.strip() for x in t[1:-1].split(",")) + " }"
        return t if t == "void" else f"<{self.n} x {t}>"

    def shown(self, v):
        t = self.type[v]
        return self.vector(t) if v in self.wide else t

    def result(self, f):
        if f.returns in FLOATS or f.returns.startswith("{") or f.name in self.wide_return:
            return self.vector(f.returns)
        return f.returns

    def site(self, f, line, why):
        self.sites.append(f"{f.name}:{line} {why}")
        return len(self.sites) - 1


def main():
    source, words, target, lanes, sites = sys.argv[1:6]
    lanes = int(lanes)
    told = []
    l = Lanes(llvm.Module(source), lanes, told)
    l.declared = set()
    for f in l.m.functions.values():
        f.is_slow = f.is_pure and f.name not in l.taken and (f.returns in FLOATS or f.returns.startswith("{ double") or
                                                             f.name in l.wide_return) and all(t != "ptr" for _, t in f.params)
    todo, done, out = [("F", "biela_turn"), ("F", "biela_turn_toward")], set(), []
    wrappers = sorted(n for n in l.taken if n in l.m.functions)
    for n in wrappers:
        todo += [("F", n), ("M", n)]
    while todo:
        kind, name = todo.pop()
        if (kind, name) in done:
            continue
        done.add((kind, name))
        e = Emit(l, l.m.functions[name], kind == "M")
        out.append(e.whole())
        todo += e.wanted
    n = lanes
    cpu = '"target-cpu"="x86-64-v4" "prefer-vector-width"="512" "min-legal-vector-width"="512"' if lanes == 8 else \
        '"target-cpu"="x86-64-v3" "prefer-vector-width"="256" "min-legal-vector-width"="256"'
    with open(words) as f:
        original = f.read()
    # the tables for one sim are only asked where they are: the functions in them are of no use any more
    none = re.compile(r"ptr @([\w.]+)")
    original = "\n".join(none.sub(lambda k: "ptr null" if k.group(1) in l.m.functions else k.group(0), line) if line.startswith("@")
                         else line for line in original.split("\n"))
    with open(target, "w") as f:
        f.write(original + "\n" + "\n".join(l.tables) + "\n")
        f.write("\n\n".join(out) + "\n\n" + "\n".join(wrapper(l, l.m.functions[k]) for k in wrappers))
        f.write(f'''
define i32 @lanes_step(ptr %arena, ptr %stack, ptr %sim) #9000 {{
  %r = call fastcc i32 @"F.biela_turn"(ptr %arena, ptr %stack, ptr %sim)
  ret i32 %r
}}
define i32 @lanes_step_toward(ptr %arena, ptr %stack, ptr %sim, double %t) #9000 {{
  %a = insertelement <{n} x double> poison, double %t, i64 0
  %b = shufflevector <{n} x double> %a, <{n} x double> poison, <{n} x i32> zeroinitializer
  %r = call fastcc i32 @"F.biela_turn_toward"(ptr %arena, ptr %stack, ptr %sim, <{n} x double> %b)
  ret i32 %r
}}
declare void @lanes_bail(ptr, i32) noreturn
declare void @lanes_spread(ptr, ptr, i64)
declare void @lanes_copy(ptr, ptr, ptr, i64)
declare void @lanes_set(ptr, ptr, i8, i64)
declare void @lanes_copy_some(ptr, ptr, ptr, i64, i64)
declare void @lanes_copy_each(ptr, ptr, ptr, i64, i64)
declare void @lanes_set_some(ptr, ptr, i8, i64, i64)
declare i32 @lanes_compare(ptr, ptr, ptr, i64, i64)
declare void @llvm.masked.store.v{n}f64.p0(<{n} x double>, ptr, i32, <{n} x i1>)
declare void @llvm.masked.store.v{n}i64.p0(<{n} x i64>, ptr, i32, <{n} x i1>)
declare i{n} @llvm.cttz.i{n}(i{n}, i1)
declare void @llvm.masked.scatter.v{n}f64.v{n}p0(<{n} x double>, <{n} x ptr>, i32, <{n} x i1>)
declare void @llvm.masked.scatter.v{n}i64.v{n}p0(<{n} x i64>, <{n} x ptr>, i32, <{n} x i1>)
''')
        for t, s in (("double", "f64"), ("i64", "i64"), ("i32", "i32"), ("i8", "i8"), ("i16", "i16"), ("ptr", "p0")):
            f.write(f"declare <{n} x {t}> @llvm.masked.gather.v{n}{s}.v{n}p0(<{n} x ptr>, i32, <{n} x i1>, <{n} x {t}>)\n")
        present = set(re.findall(r"^declare .*@([\w.]+)\(", original, flags=re.M))
        for d in sorted(l.declared):
            if re.search(r"@([\w.]+)\(", d).group(1) not in present:
                f.write(d + "\n")
        f.write(f'attributes #9000 = {{ nounwind {cpu} }}\n')
        f.write('''!900000 = !{!"lanes"}
!900001 = !{!"one word", !900000, i64 0}
!900002 = !{!"words of all", !900000, i64 0}
!900003 = !{!900001, !900001, i64 0}
!900004 = !{!900002, !900002, i64 0}
!900009 = !{!"branch_weights", i32 1000, i32 1}
''')
    with open(sites, "w") as f:
        f.write("\n".join(told) + "\n")
    print(f"{len(done)} functions for {lanes} lanes, {len(told)} places where sims may part")


if __name__ == "__main__":
    main()
