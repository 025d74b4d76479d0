# SPDX-License-Identifier: MIT
"""Writes one function for several sims: calls, instructions, and ways that part and meet again (docs/theory/batch.md)."""
import llvm
from llvm import FLOATS, is_id
from words import Context, Words

MAIN_SIZE = 1 << 26  # bytes of an arena before its words of all lanes, as in src/lanes/arena.h
BINARY = {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd", "fsub", "fmul",
          "fdiv", "frem"}
CASTS = {"trunc", "zext", "sext", "fptoui", "fptosi", "uitofp", "sitofp", "fptrunc", "fpext", "ptrtoint", "inttoptr", "bitcast"}
NOTHING = ("llvm.lifetime", "llvm.experimental.noalias", "llvm.assume", "llvm.dbg")


class Emit(Words):
    """The same with its calls, instructions and branches."""

    # ---- calls ----------------------------------------------------------------------------------------------------------

    def call(self, i):
        to, byval, cc = i.more
        l = self.l
        if not is_id(to):
            name = to[2].lstrip("@")
            if name.startswith(NOTHING):
                return None
            if name in l.m.functions:
                return self.call_known(i, l.m.functions[name], byval)
            if name.startswith(("llvm.memcpy", "llvm.memset", "llvm.memmove")):
                self.block_copy(i, name)
                return None
            if name in ("bcmp", "memcmp"):
                a = [self.one(k, i) for k in i.args]
                return self.let(f"call i32 @lanes_compare(ptr %arena, ptr {a[0]}, ptr {a[1]}, i64 {a[2]}, i64 {self.bits_now()})")
            if name.startswith("llvm.") and name != "llvm.trap":
                return self.intrinsic(i, name)
            self.bail(i, name)
            self.count += 1
            self.begin(f"never{self.count}")
            return "poison" if i.type != "void" else None
        args = ["ptr %arena", f"ptr {self.stack()}", f"i64 {self.bits_now()}"]
        for k, a in enumerate(i.args):
            t = l.type[a] if is_id(a) else a[1]
            if byval[k]:
                args.append(f"ptr {self.copied(a, byval[k], i)}")
            elif t in FLOATS:
                args.append(f"{l.vector(t)} {self.all(a)}")
            else:
                args.append(f"{t} {self.one(a, i)}")
        t = l.vector(i.type) if i.type in FLOATS or i.type.startswith("{") else i.type
        words = f"call {t} {self.one(to, i)}({', '.join(args)})"
        if t == "void":
            self.put(words)
            return None
        return self.let(words)

    def copied(self, a, t, i):
        size = self.l.m.size(t)
        at = self.take(size, 64)
        p = self.let(f"getelementptr i8, ptr %stack, i64 {at}")
        self.put(f"call void @lanes_copy(ptr %arena, ptr {p}, ptr {self.one(a, i)}, i64 {size})")
        return p

    def take(self, size, align):
        self.frame = (self.frame + align - 1) // align * align
        at = self.frame
        self.frame += size
        return at

    def stack(self):
        return self.let("getelementptr i8, ptr %stack, i64 FRAME")

    def call_known(self, i, g, byval):
        l = self.l
        masked = self.x.mask is not None and not g.is_pure and not g.reads_only
        args = ["ptr %arena", f"ptr {self.stack()}"]
        if masked:
            args.append(f"i64 {self.bits_now()}")
        for k, (a, (p, t)) in enumerate(zip(i.args, g.params)):
            if byval[k]:
                args.append(f"ptr {self.copied(a, byval[k], i)}")
            elif p in l.wide:
                args.append(f"{l.vector(t)} {self.all(a)}")
            else:
                args.append(f"{t} {self.one(a, i)}")
        kind = "M" if masked else "F"
        self.wanted.append((kind, g.name))
        words = f'call fastcc {l.result(g)} @"{kind}.{g.name}"({", ".join(args)})'
        if i.type == "void":
            self.put(words)
            return None
        return self.let(words)

    def intrinsic(self, i, name):
        l = self.l
        wide = i.id in l.wide
        parts = name.split(".")
        args = []
        for k, a in enumerate(i.args):
            t = l.type[a] if is_id(a) else a[1]
            is_flag = t == "i1" and parts[1] in ("ctlz", "cttz", "abs") or parts[1] == "is" and k == 1 or parts[1] == "powi" and k == 1
            if wide and not is_flag:
                args.append(f"{l.vector(t)} {self.all(a)}")
            else:
                args.append(f"{t} {self.one(a, i)}")
        if wide:
            of = parts[-1]
            name = ".".join(parts[:-1] + [f"v{self.n}{of}"])
        t = l.vector(i.type) if wide else i.type
        self.l.declared.add(f"declare {t} @{name}({', '.join(x.split(' ')[0] if not x.startswith('<') else x[:x.index('>') + 1] for x in args)})")
        return self.let(f"call {t} @{name}({', '.join(args)})")

    # ---- instructions ------------------------------------------------------------------------------------------------------

    def instruction(self, i):
        l, x = self.l, self.x
        wide = i.id in l.wide
        v = l.vector(i.type) if wide else i.type
        a = i.args
        out = None
        if i.op in BINARY:
            out = self.let(f"{i.op} {v} {self.all(a[0])}, {self.all(a[1])}" if wide else
                           f"{i.op} {v} {self.one(a[0])}, {self.one(a[1])}")
        elif i.op in ("icmp", "fcmp"):
            t = l.type[a[0]] if is_id(a[0]) else a[0][1]
            if t == "ptr" and not wide and "null" not in (a[0], a[1]):
                pass
            out = self.let(f"{i.op} {i.more} {l.vector(t)} {self.all(a[0])}, {self.all(a[1])}" if wide else
                           f"{i.op} {i.more} {t} {self.one(a[0])}, {self.one(a[1])}")
        elif i.op == "fneg":
            out = self.let(f"fneg {v} {self.all(a[0])}")
        elif i.op == "freeze":
            out = self.let(f"freeze {v} {self.all(a[0]) if wide else self.one(a[0])}")
        elif i.op in CASTS:
            t = l.type[a[0]] if is_id(a[0]) else a[0][1]
            if wide and not l.is_wide(a[0]):
                out = self.splat(i.type, self.let(f"{i.op} {t} {self.one(a[0])} to {i.type}"))
            else:
                out = self.let(f"{i.op} {l.vector(t) if wide else t} {self.all(a[0]) if wide else self.one(a[0])} to {v}")
        elif i.op == "select":
            if not wide:
                out = self.let(f"select i1 {self.one(a[0])}, {v} {self.one(a[1])}, {v} {self.one(a[2])}")
            elif l.is_wide(a[0]):
                assert not i.type.startswith("{")
                out = self.blend(i.type, self.all(a[0]), self.all(a[1]), self.all(a[2]))
            else:
                out = self.let(f"select i1 {self.one(a[0])}, {v} {self.all(a[1])}, {v} {self.all(a[2])}")
        elif i.op == "gep":
            self.address(i)
            return
        elif i.op == "alloca":
            at = self.take(i.more[0], max(i.more[1], 8))
            assert a[0][2] == "1", self.f.name
            x.value[i.id] = self.let(f"getelementptr i8, ptr %stack, i64 {at}")
            x.shadow[i.id] = self.let(f"getelementptr i8, ptr %stack_shadow, i64 {at * self.n}")
            return
        elif i.op == "load":
            out = self.load(i)
        elif i.op == "store":
            self.store(i)
        elif i.op == "call":
            out = self.call(i)
        elif i.op == "extractvalue":
            t = l.type[a[0]] if is_id(a[0]) else a[0][1]
            out = self.let(f"extractvalue {l.vector(t)} {self.find(a[0], 'value')}, {i.more[0]}")
            if wide and i.type not in FLOATS:
                out = self.splat(i.type, out)
        elif i.op == "insertvalue":
            base = self.find(a[0], "value") if is_id(a[0]) else a[0][2]
            t = l.type[a[1]] if is_id(a[1]) else a[1][1]
            part = f"{l.vector(t)} {self.all(a[1])}" if t in FLOATS else f"{t} {self.one(a[1], i)}"
            out = self.let(f"insertvalue {v} {base}, {part}, {i.more[0]}")
        else:
            raise SystemExit(f"{self.f.name}: {i.op}")
        if out is not None:
            x.value[i.id] = out
            if i.type == "ptr" and not wide:
                x.shadow[i.id] = self.root(out)

    def address(self, i):
        l, x, a = self.l, self.x, i.args
        if i.id in l.wide:
            words = []
            for k, b in enumerate(a):
                t = l.type[b] if is_id(b) else b[1]
                if l.is_wide(b):
                    words.append(f"{l.vector(t)} {self.all(b)}")
                else:
                    words.append(f"{t} {self.one(b)}")
            x.value[i.id] = self.let(f"getelementptr {i.more}, {', '.join(words)}")
            return
        rest = ", ".join(f"{l.type[b] if is_id(b) else b[1]} {self.one(b)}" for b in a[1:])
        off = self.let(f"getelementptr {i.more}, ptr null, {rest}")
        off = self.let(f"ptrtoint ptr {off} to i64")
        base = self.one(a[0])
        shadow = self.shadow(a[0]) or self.root(base)
        x.value[i.id] = self.let(f"getelementptr i8, ptr {base}, i64 {off}")
        off = self.let(f"shl i64 {off}, {self.s}")
        x.shadow[i.id] = self.let(f"getelementptr i8, ptr {shadow}, i64 {off}")

    # ---- ways --------------------------------------------------------------------------------------------------------------

    def label(self, x, b):
        return f"c{x.number}b{b.number}"

    def incoming(self, x, b, n):
        """What the numbers at the beginning of n are when it is reached from b."""
        for i in n.inst:
            if i.op != "phi":
                break
            for a, k in zip(i.args, i.more):
                if self.f.block_of[k] is b:
                    if i.type.startswith("{"):
                        x.incoming[i.id, b] = self.find(a, "value") if is_id(a) else a[2]
                    else:
                        x.incoming[i.id, b] = self.all(a) if i.id in self.l.wide else self.one(a)

    def edge(self, x, b, n):
        x.edges.setdefault((b, n), []).append(self.now[0])

    def target(self, x, n):
        return self.label(x, n) if n in x.inside else x.done

    def end(self, x, b):
        last = b.inst[-1]
        for n in b.next:
            self.incoming(x, b, n)
        if last.op == "ret":
            f = self.f
            t = self.l.result(f)
            if not last.args:
                self.put("ret void")
            elif t == f.returns:
                self.put(f"ret {t} {self.one(last.args[0], last)}")
            elif t.startswith("{"):
                a = last.args[0]
                self.put(f"ret {t} {self.find(a, 'value') if is_id(a) else a[2]}")
            else:
                self.put(f"ret {t} {self.all(last.args[0])}")
        elif last.op == "unreachable":
            self.bail(last, "trap")
        elif not last.args:
            self.edge(x, b, b.next[0])
            self.put(f"br label %{self.target(x, b.next[0])}")
        elif not self.l.is_wide(last.args[0]):
            c = self.one(last.args[0])
            for n in b.next:
                self.edge(x, b, n)
            self.put(f"br i1 {c}, label %{self.target(x, b.next[0])}, label %{self.target(x, b.next[1])}")
        else:
            self.branch(x, b, last)

    def branch(self, x, b, last):
        c = self.all(last.args[0])
        self.count += 1
        k = self.count
        if x.mask:
            c = self.let(f"freeze {self.bools} {c}")
            c = self.let(f"and {self.bools} {c}, {x.mask[0]}")
        bits = self.let(f"bitcast {self.bools} {c} to {self.bits}")
        whole = self.let(f"icmp eq {self.bits} {bits}, {x.mask[1] if x.mask else '-1'}")
        self.edge(x, b, b.next[0])
        self.put(f"br i1 {whole}, label %{self.target(x, b.next[0])}, label %some{k}")
        self.begin(f"some{k}")
        none = self.let(f"icmp eq {self.bits} {bits}, 0")
        self.edge(x, b, b.next[1])
        self.put(f"br i1 {none}, label %{self.target(x, b.next[1])}, label %mixed{k}")
        self.begin(f"mixed{k}")
        if self.l.cost(self.f, b) is None:
            self.bail(last, "branch")
            return
        stop = self.f.after[b]
        if x.mask:
            other = self.let(f"xor {self.bools} {c}, {x.mask[0]}")
            other_bits = self.let(f"xor {self.bits} {bits}, {x.mask[1]}")
        else:
            other = self.let(f"xor {self.bools} {c}, {self.splat('i1', 'true')}")
            other_bits = self.let(f"xor {self.bits} {bits}, -1")
        found = []
        for start, mask in ((b.next[0], (c, bits)), (b.next[1], (other, other_bits))):
            found.append(self.side(x, b, start, stop, mask))
        # both ways meet
        for i in stop.inst:
            if i.op != "phi":
                break
            v = self.l.shown(i.id)
            yes, no = found[0][i.id], found[1][i.id]
            if i.id in self.l.wide:
                value = self.blend(i.type, c, yes, no)
            else:
                assert yes == no, (self.f.name, i.line)
                value = yes
            x.incoming[i.id, (b, k)] = value
        x.edges.setdefault(((b, k), stop), []).append(self.now[0])
        self.put(f"br label %{self.target(x, stop)}")

    def blend(self, t, c, yes, no):
        if yes == no:
            return yes
        v = self.l.vector(t)
        if not t.startswith("{"):
            return self.let(f"select {self.bools} {c}, {v} {yes}, {v} {no}")
        whole = "poison"
        for k, part in enumerate(t[1:-1].split(",")):
            assert part.strip() in FLOATS, t
            a, b = (self.let(f"extractvalue {v} {x}, {k}") for x in (yes, no))
            one = self.blend(part.strip(), c, a, b)
            whole = self.let(f"insertvalue {v} {whole}, {self.l.vector(part.strip())} {one}, {k}")
        return whole

    def side(self, x, b, start, stop, mask):
        blocks = self.l.side(start, stop)
        if not blocks:
            y = Context(x, None, [], 0)
            self.incoming(y, b, start)
            return {i.id: y.incoming[i.id, b] for i in stop.inst if i.op == "phi"}
        self.contexts += 1
        y = Context(x, mask, blocks, self.contexts)
        y.done = f"done{y.number}"
        self.x = y
        self.incoming(y, b, start)
        self.edge(y, b, start)
        self.put(f"br label %{self.label(y, start)}")
        self.region(y, blocks)
        self.begin(y.done)
        values = {}
        for i in stop.inst:
            if i.op != "phi":
                break
            ways = [(y.incoming[i.id, p], label) for (p, n), labels in y.edges.items() if n is stop for label in labels]
            if len({w[0] for w in ways}) == 1:
                values[i.id] = ways[0][0]
            else:
                values[i.id] = self.let(f"phi {self.l.shown(i.id)} " + ", ".join(f"[ {v}, %{w} ]" for v, w in ways))
        if not any(n is stop for (p, n) in y.edges):
            self.put("unreachable")
            self.count += 1
            self.begin(f"never{self.count}")
            for i in stop.inst:
                if i.op == "phi":
                    values[i.id] = "poison"
        self.x = x
        return values

    def region(self, x, blocks):
        for b in blocks:
            self.x = x
            self.begin(self.label(x, b))
            pointers = []
            for i in b.inst:
                if i.op != "phi":
                    break
                v = self.name()
                x.value[i.id] = v
                x.phis[i.id] = (self.now, len(self.now[1]), v)
                self.put(None)
                if i.type == "ptr" and i.id not in self.l.wide:
                    pointers.append((i.id, v))
            for k, v in pointers:
                x.shadow[k] = self.root(v)
            for i in b.inst[:-1]:
                if i.op != "phi":
                    self.instruction(i)
            self.end(x, b)
        for b in blocks:
            for i in b.inst:
                if i.op != "phi":
                    break
                ways = [(x.incoming[i.id, p], label) for (p, n), labels in x.edges.items() if n is b for label in labels]
                block, k, v = x.phis[i.id]
                block[1][k] = f"{v} = phi {self.l.shown(i.id)} " + ", ".join(f"[ {a}, %{w} ]" for a, w in ways)

    def whole(self):
        l, f = self.l, self.f
        params = ["ptr %arena", "ptr %stack"] + (["i64 %mask"] if self.masked else [])
        x = Context(None, None, [], 0)
        self.x = x
        self.begin("entry")
        base = self.let("ptrtoint ptr %arena to i64")
        times = self.let(f"shl i64 {base}, {self.s}")
        base = self.let(f"sub i64 {base}, {times}")
        self.put(f"%base = add i64 {base}, {MAIN_SIZE}")
        stack = self.root("%stack")
        self.put(f"%stack_shadow = getelementptr i8, ptr {stack}, i64 0")
        if self.masked:
            bits = self.let(f"trunc i64 %mask to {self.bits}")
            x.mask = (self.let(f"bitcast {self.bits} {bits} to {self.bools}"), bits)
        for k, (p, t) in enumerate(f.params):
            x.value[p] = f"%a{k}"
            params.append(f"{l.shown(p)} %a{k}")
            if t == "ptr":
                x.shadow[p] = self.root(f"%a{k}")
        blocks = l.side(f.blocks[0], None)
        x.inside = set(blocks)
        x.done = None
        self.put(f"br label %{self.label(x, blocks[0])}")
        self.region(x, blocks)
        if self.needs_slow:
            self.slow()
        kind = "M" if self.masked else "F"
        frame = (self.frame + 63) // 64 * 64
        out = [f'define internal fastcc {l.result(f)} @"{kind}.{f.name}"({", ".join(params)}) #9000 {{']
        self.blocks[0][1][-1:] = self.early + self.blocks[0][1][-1:]
        for label, lines in self.blocks:
            out.append(f"{label}:")
            out += ["  " + (w.replace("i64 FRAME", f"i64 {frame}") if "FRAME" in w else w) for w in lines]
        out.append("}")
        return "\n".join(out)

    def slow(self):
        """Lane after lane by the code for one: it only gives a number."""
        l, f = self.l, self.f
        self.begin("slow")
        t = l.result(f)
        whole = "poison"
        for k in range(self.n):
            args = []
            for j, (p, pt) in enumerate(f.params):
                args.append(f"{pt} " + (self.let(f"extractelement {l.vector(pt)} %a{j}, i64 {k}") if p in l.wide else f"%a{j}"))
            cc = {0: "", 8: "fastcc "}[f.convention]
            r = self.let(f"call {cc}{f.returns} @{f.name}({', '.join(args)})")
            if t == f.returns:
                whole = r
            elif t.startswith("{"):
                for j, part in enumerate(f.returns[1:-1].split(",")):
                    old = self.let(f"extractvalue {t} {whole}, {j}") if k else "poison"
                    one = self.let(f"extractvalue {f.returns} {r}, {j}")
                    new = self.let(f"insertelement {l.vector(part.strip())} {old}, {part.strip()} {one}, i64 {k}")
                    whole = self.let(f"insertvalue {t} {whole}, {l.vector(part.strip())} {new}, {j}")
            else:
                whole = self.let(f"insertelement {t} {whole}, {f.returns} {r}, i64 {k}")
        self.put(f"ret {t} {whole}")


def wrapper(l, f):
    """For calls by address: whole groups go the way without masks."""
    t = l.result(f)
    names = [f"{l.shown(p)} %a{k}" for k, (p, _) in enumerate(f.params)]
    params = ", ".join(["ptr %arena", "ptr %stack", "i64 %mask"] + names)
    rest = "".join(", " + n for n in names)
    back = "ret void" if t == "void" else f"ret {t} %r"
    let = "" if t == "void" else "%r = "
    mask = "-1" if l.n == 64 else str((1 << l.n) - 1)
    return f'''define internal {t} @"W.{f.name}"({params}) #9000 {{
  %m = and i64 %mask, {mask}
  %all = icmp eq i64 %m, {mask}
  br i1 %all, label %whole, label %some
whole:
  {let}call fastcc {t} @"F.{f.name}"(ptr %arena, ptr %stack{rest})
  {back}
some:
  {let.replace("%r", "%s")}call fastcc {t} @"M.{f.name}"(ptr %arena, ptr %stack, i64 %mask{rest})
  {back.replace("%r", "%s")}
}}'''
