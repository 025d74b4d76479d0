# SPDX-License-Identifier: MIT
"""What one function for several sims is written with: names, the values of all lanes or of one, and memory, of which every word stands
once and once more for each lane (docs/theory/batch.md)."""
import re

import llvm
from llvm import FLOATS, is_id

GLOBALS_AT = 4096    # where the tables lie in an arena


class Context:
    """A copy of some blocks: the whole function, or one way of a branch for the lanes that take it."""

    def __init__(self, parent, mask, blocks, number):
        self.parent, self.mask, self.number = parent, mask, number
        self.inside = set(blocks)
        self.value, self.shadow = {}, {}
        self.edges, self.incoming, self.phis = {}, {}, {}


class Words:
    """One function, for all lanes or (masked) for some, as it is being written."""

    def __init__(self, lanes, f, masked):
        self.l, self.f, self.masked = lanes, f, masked
        self.count, self.contexts = 0, 0
        self.blocks, self.now = [], None
        self.needs_slow = False
        self.wanted = []
        self.frame = 0
        self.n, self.s = lanes.n, lanes.shift
        self.bits = f"i{lanes.n}"
        self.bools = f"<{lanes.n} x i1>"
        self.private = {}
        self.tables, self.early = {}, []  # addresses of tables, worked out at the beginning

    # ---- words ------------------------------------------------------------------------------------------------------

    def name(self):
        self.count += 1
        return f"%x{self.count}"

    def put(self, line):
        self.now[1].append(line)

    def let(self, words):
        x = self.name()
        self.put(f"{x} = {words}")
        return x

    def begin(self, label):
        self.now = (label, [])
        self.blocks.append(self.now)

    def splat(self, t, x):
        if x[0] not in "%":
            if x in ("poison", "undef", "zeroinitializer"):
                return x
            return "<" + ", ".join([f"{t} {x}"] * self.n) + ">"
        a = self.let(f"insertelement <{self.n} x {t}> poison, {t} {x}, i64 0")
        return self.let(f"shufflevector <{self.n} x {t}> {a}, <{self.n} x {t}> poison, <{self.n} x i32> zeroinitializer")

    def root(self, p):
        """Where the words of all lanes of the address p lie."""
        a = self.let(f"ptrtoint ptr {p} to i64")
        a = self.let(f"shl i64 {a}, {self.s}")
        a = self.let(f"add i64 {a}, %base")
        return self.let(f"inttoptr i64 {a} to ptr")

    def find(self, v, which):
        x = self.x
        while x:
            table = getattr(x, which)
            if v in table:
                return table[v]
            x = x.parent
        raise KeyError((self.f.name, which, v))

    def constant(self, a):
        if a[0] == "c":
            return a[2]
        if a[0] == "f":
            return f'@"W.{a[2]}"' if a[2] in self.l.m.functions else "null"
        place = re.sub(r"@([\w.]+)", lambda k: (f"getelementptr inbounds (i8, ptr @lanes_globals, i64 {self.l.at[k.group(1)][0]})"
                                                if k.group(1) in self.l.at else f'@"W.{k.group(1)}"'), a[2])
        if "@lanes_globals" not in place:
            return place
        if place not in self.tables:
            now, self.now = self.now, ("", [])
            x = self.let(f"ptrtoint ptr {place} to i64")
            x = self.let(f"sub i64 {x}, ptrtoint (ptr @lanes_globals to i64)")
            x = self.let(f"add i64 {x}, {GLOBALS_AT}")
            self.tables[place] = self.let(f"getelementptr i8, ptr %arena, i64 {x}")
            self.early += self.now[1]
            self.now = now
        return self.tables[place]

    def one(self, a, i=None):
        """The same in all lanes, or the step is not done here."""
        if not is_id(a):
            return self.constant(a)
        if a not in self.l.wide:
            return self.find(a, "value")
        return self.uniform(self.find(a, "value"), self.l.type[a], i)

    def uniform(self, v, t, i):
        k = "0"
        if self.x.mask:
            k = self.let(f"call {self.bits} @llvm.cttz.{self.bits}({self.bits} {self.x.mask[1]}, i1 false)")
        x = self.let(f"extractelement <{self.n} x {t}> {v}, {self.bits} {k}")
        same = self.let(f"icmp eq <{self.n} x {t}> {v}, {self.splat(t, x)}")
        if self.x.mask:
            other = self.let(f"xor {self.bools} {self.x.mask[0]}, {self.splat('i1', 'true')}")
            same = self.let(f"or {self.bools} {same}, {other}")
        bits = self.let(f"bitcast {self.bools} {same} to {self.bits}")
        fine = self.let(f"icmp eq {self.bits} {bits}, -1")
        self.go_on_if(fine, i, "differs")
        return x

    def go_on_if(self, fine, i, why):
        self.count += 1
        on, out = f"on{self.count}", f"out{self.count}"
        self.put(f"br i1 {fine}, label %{on}, label %{out}, !prof !900009")
        self.begin(out)
        self.bail(i, why)
        self.begin(on)

    def all(self, a):
        if not is_id(a):
            t = a[1]
            return self.splat(t, self.constant(a))
        x = self.find(a, "value")
        return x if a in self.l.wide else self.splat(self.l.type[a], x)

    def shadow(self, a):
        if is_id(a) and a not in self.l.wide:
            return self.find(a, "shadow")
        return None

    def bail(self, i, why):
        if self.f.is_slow:
            self.needs_slow = True
            self.put("br label %slow")
            return
        site = self.l.site(self.f, i.line if i else 0, why)
        self.put(f"call void @lanes_bail(ptr %arena, i32 {site})")
        self.put("unreachable")

    # ---- memory --------------------------------------------------------------------------------------------------------

    def place(self, a, i):
        """Address of the words of all lanes."""
        found = self.shadow(a)
        return found or self.root(self.one(a, i))

    def is_private(self, a):
        """Memory that no lane but those at work here sees: it is made, and used, only here."""
        if not self.x.mask:
            return True
        base = a
        while is_id(base) and base in self.f.insts and self.f.insts[base].op == "gep":
            base = self.f.insts[base].args[0]
        i = self.f.insts.get(base) if is_id(base) else None
        if i is None or i.op != "alloca":
            return False
        if self.x.parent is None:
            return True
        if base not in self.private:
            blocks, todo, done = set(), [i], set()
            while todo:
                k = todo.pop()
                for u in k.uses:
                    if u.op == "call" and not is_id(u.more[0]) and u.more[0][2].lstrip("@").startswith("llvm.lifetime"):
                        continue
                    blocks.add(u.block)
                    if u.op in ("gep", "phi", "select") and u.id not in done:
                        done.add(u.id)
                        todo.append(u)
            self.private[base] = blocks
        return self.private[base] <= self.x.inside

    def gather(self, a, t):
        """Address of the own word of every lane, for an address that differs."""
        n = self.n
        x = self.let(f"ptrtoint <{n} x ptr> {self.all(a)} to <{n} x i64>")
        word = self.let(f"and <{n} x i64> {x}, {self.splat('i64', '-8')}")
        rest = self.let(f"and <{n} x i64> {x}, {self.splat('i64', '7')}")
        x = self.let(f"shl <{n} x i64> {word}, {self.splat('i64', str(self.s))}")
        x = self.let(f"add <{n} x i64> {x}, {self.splat('i64', '%base')}")
        x = self.let(f"add <{n} x i64> {x}, <{', '.join(f'i64 {8 * k}' for k in range(n))}>")
        x = self.let(f"add <{n} x i64> {x}, {rest}")
        return self.let(f"inttoptr <{n} x i64> {x} to <{n} x ptr>")

    def mask_now(self):
        return self.x.mask[0] if self.x.mask else self.splat("i1", "true")

    def load(self, i):
        a, t = i.args[0], i.type
        if self.l.is_wide(a):
            p = self.gather(a, t)
            v = f"<{self.n} x {t}>"
            size = 8 if t == "double" else 1
            return self.let(f"call {v} @llvm.masked.gather.{self.suffix(t)}.v{self.n}p0(<{self.n} x ptr> {p}, i32 {size}, {self.bools} "
                            f"{self.mask_now()}, {v} zeroinitializer)")
        if i.id in self.l.wide:
            if t in ("double", "i64"):
                return self.let(f"load <{self.n} x {t}>, ptr {self.place(a, i)}, align {8 * self.n}, !tbaa !900004")
            w, s, _ = self.part_of_word(a, i)
            w = self.let(f"lshr <{self.n} x i64> {w}, {self.splat('i64', s)}")
            return self.let(f"trunc <{self.n} x i64> {w} to <{self.n} x {t}>")
        return self.let(f"load {t}, ptr {self.one(a, i)}, align 1, !tbaa !900003")

    def part_of_word(self, a, i):
        """The words of all lanes in which a shorter whole number lies, by how many bits it is shifted there, and their place."""
        p = self.let(f"ptrtoint ptr {self.one(a, i)} to i64")
        s = self.let(f"and i64 {p}, 7")
        s = self.let(f"shl i64 {s}, 3")
        p = self.let(f"and i64 {p}, -8")
        p = self.root(self.let(f"inttoptr i64 {p} to ptr"))
        return self.let(f"load <{self.n} x i64>, ptr {p}, align {8 * self.n}, !tbaa !900004"), s, p

    def store_part(self, t, v, a, i):
        w, s, p = self.part_of_word(a, i)
        full = (1 << int(t[1:])) - 1
        hole = self.let(f"shl i64 {full}, {s}")
        hole = self.let(f"xor i64 {hole}, -1")
        v = self.let(f"zext <{self.n} x {t}> {v} to <{self.n} x i64>")
        v = self.let(f"shl <{self.n} x i64> {v}, {self.splat('i64', s)}")
        new = self.let(f"and <{self.n} x i64> {w}, {self.splat('i64', hole)}")
        new = self.let(f"or <{self.n} x i64> {new}, {v}")
        if self.x.mask:
            new = self.let(f"select {self.bools} {self.x.mask[0]}, <{self.n} x i64> {new}, <{self.n} x i64> {w}")
        self.put(f"store <{self.n} x i64> {new}, ptr {p}, align {8 * self.n}, !tbaa !900004")

    def store_all(self, t, v, a, i):
        v = f"<{self.n} x {t}> {v}"
        if self.l.is_wide(a):
            self.put(f"call void @llvm.masked.scatter.{self.suffix(t)}.v{self.n}p0({v}, <{self.n} x ptr> {self.gather(a, t)}, i32 8, "
                     f"{self.bools} {self.mask_now()})")
        elif self.is_private(a):
            self.put(f"store {v}, ptr {self.place(a, i)}, align {8 * self.n}, !tbaa !900004")
        else:
            self.put(f"call void @llvm.masked.store.{self.suffix(t)}.p0({v}, ptr {self.place(a, i)}, i32 {8 * self.n}, {self.bools} "
                     f"{self.mask_now()})")

    def suffix(self, t):
        return f"v{self.n}" + {"double": "f64", "float": "f32", "ptr": "p0"}.get(t, t)

    def store(self, i):
        value, a = i.args
        t = self.l.type[value] if is_id(value) else value[1]
        if t == "double" or i.more or self.l.is_wide(value) and value in self.l.raw:
            v = self.all(value)
            if t not in ("double", "i64"):
                self.store_part(t, v, a, i)
                return
            self.store_all(t, v, a, i)
            if t == "i64" and not i.more and not self.l.is_wide(a):
                p = self.one(a, i)
                w = self.let(f"load i64, ptr {self.place(a, i)}, align {8 * self.n}, !tbaa !900004")
                self.put(f"store i64 {w}, ptr {p}, align 1, !tbaa !900003")
            return
        assert t != "i128" and t not in FLOATS, (self.f.name, t)
        v, p = self.one(value, i), self.one(a, i)
        if not self.is_private(a):
            fine = self.let(f"icmp eq {self.bits} {self.x.mask[1]}, -1")
            self.go_on_if(fine, i, "store for some")
        self.put(f"store {t} {v}, ptr {p}, align 1, !tbaa !900003")
        if t in ("i64", "ptr") and not i.is_whole_word:
            self.put(f"call void @lanes_spread(ptr %arena, ptr {p}, i64 8)")
            return
        if t in ("i64", "ptr"):
            w = v if t == "i64" else self.let(f"ptrtoint ptr {v} to i64")
            q = self.shadow(a) or self.root(p)
        else:
            w = self.let(f"ptrtoint ptr {p} to i64")
            w = self.let(f"and i64 {w}, -8")
            p = self.let(f"inttoptr i64 {w} to ptr")
            w = self.let(f"load i64, ptr {p}, align 8, !tbaa !900003")
            q = self.root(p)
        self.put(f"store <{self.n} x i64> {self.splat('i64', w)}, ptr {q}, align {8 * self.n}, !tbaa !900004")

    def bits_now(self):
        return self.let(f"zext {self.bits} {self.x.mask[1]} to i64") if self.x.mask else "-1"

    def block_copy(self, i, name):
        moves = "memset" not in name
        d, size = self.one(i.args[0], i), i.args[2]
        length = self.one(size, i)
        if moves and self.l.is_wide(i.args[1]):
            # every lane copies from its own place
            at = self.let(f"getelementptr i8, ptr %stack, i64 {self.take(8 * self.n, 64)}")
            self.put(f"store <{self.n} x ptr> {self.all(i.args[1])}, ptr {at}, align 8")
            bits = "-1" if self.is_private(i.args[0]) else self.bits_now()
            self.put(f"call void @lanes_copy_each(ptr %arena, ptr {d}, ptr {at}, i64 {length}, i64 {bits})")
            return
        s = self.one(i.args[1], i)
        fixed = int(size[2]) if not is_id(size) and size[2].isdigit() else -1
        aligned = [llvm.call_attribute(i.id, k + 1, llvm.kind("align")) for k in (range(2) if moves else range(1))]
        aligned = all(a and llvm.attribute_value(a) >= 8 for a in aligned)
        if not self.is_private(i.args[0]):
            what = "lanes_copy_some" if moves else "lanes_set_some"
            self.put(f"call void @{what}(ptr %arena, ptr {d}, {'ptr' if moves else 'i8'} {s}, i64 {length}, i64 {self.bits_now()})")
        elif fixed >= 0 and fixed % 8 == 0 and aligned:
            full = "llvm.memset.p0.i64" if not moves else "llvm.memcpy.p0.p0.i64" if "memcpy" in name else "llvm.memmove.p0.p0.i64"
            for x, y, k in ((d, s, fixed), (self.place(i.args[0], i), self.place(i.args[1], i) if moves else s, fixed * self.n)):
                if moves:
                    self.put(f"call void @{full}(ptr align 8 {x}, ptr align 8 {y}, i64 {k}, i1 false)")
                else:
                    self.put(f"call void @{full}(ptr align 8 {x}, i8 {y}, i64 {k}, i1 false)")
        else:
            what = "lanes_copy" if moves else "lanes_set"
            self.put(f"call void @{what}(ptr %arena, ptr {d}, {'ptr' if moves else 'i8'} {s}, i64 {length})")
