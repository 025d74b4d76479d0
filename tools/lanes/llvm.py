# SPDX-License-Identifier: MIT
"""Reads LLVM's code through its own library (libLLVM, in C): functions, blocks and instructions as plain objects."""
import ctypes
import ctypes.util
import glob
import re
import subprocess

# instructions by LLVM's numbers
OPCODES = {
    1: "ret", 2: "br", 3: "switch", 7: "unreachable", 8: "add", 9: "fadd", 10: "sub", 11: "fsub", 12: "mul", 13: "fmul", 14: "udiv",
    15: "sdiv", 16: "fdiv", 17: "urem", 18: "srem", 19: "frem", 20: "shl", 21: "lshr", 22: "ashr", 23: "and", 24: "or", 25: "xor",
    26: "alloca", 27: "load", 28: "store", 29: "gep", 30: "trunc", 31: "zext", 32: "sext", 33: "fptoui", 34: "fptosi", 35: "uitofp",
    36: "sitofp", 37: "fptrunc", 38: "fpext", 39: "ptrtoint", 40: "inttoptr", 41: "bitcast", 42: "icmp", 43: "fcmp", 44: "phi",
    45: "call", 46: "select", 53: "extractvalue", 54: "insertvalue", 66: "fneg", 68: "freeze",
}
ICMP = {32: "eq", 33: "ne", 34: "ugt", 35: "uge", 36: "ult", 37: "ule", 38: "sgt", 39: "sge", 40: "slt", 41: "sle"}
FCMP = ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"]

FLOATS = ("double", "float")


def is_id(a):
    """A value that is worked out; else a constant."""
    return isinstance(a, int)


def library():
    place = subprocess.run(["llvm-config-19", "--libdir"], capture_output=True, text=True, check=False).stdout.strip()
    names = glob.glob(f"{place or '/usr/lib/llvm-19/lib'}/libLLVM*.so*") + glob.glob("/usr/lib/*/libLLVM.so.19*")
    return ctypes.CDLL(names[0] if names else "libLLVM.so.19.1")


L = library()
P = ctypes.c_void_p


def c(name, result, *arguments):
    f = getattr(L, "LLVM" + name)
    f.restype, f.argtypes = result, arguments
    return f


U, I, S, Z = ctypes.c_uint, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t
type_of = c("TypeOf", P, P)
print_type = c("PrintTypeToString", P, P)
print_value = c("PrintValueToString", P, P)
get_name = c("GetValueName2", P, P, ctypes.POINTER(Z))
opcode = c("GetInstructionOpcode", I, P)
n_operand = c("GetNumOperands", I, P)
operand = c("GetOperand", P, P, U)
is_constant = c("IsConstant", I, P)
is_instruction = c("IsAInstruction", P, P)
is_argument = c("IsAArgument", P, P)
is_function = c("IsAFunction", P, P)
is_variable = c("IsAGlobalVariable", P, P)
is_inline = c("IsAInlineAsm", P, P)
count_incoming = c("CountIncoming", U, P)
incoming_value = c("GetIncomingValue", P, P, U)
incoming_block = c("GetIncomingBlock", P, P, U)
called = c("GetCalledValue", P, P)
called_type = c("GetCalledFunctionType", P, P)
allocated = c("GetAllocatedType", P, P)
gep_type = c("GetGEPSourceElementType", P, P)
volatile = c("GetVolatile", I, P)
n_indices = c("GetNumIndices", U, P)
indices = c("GetIndices", ctypes.POINTER(U), P)
n_argument = c("GetNumArgOperands", U, P)
line_of = c("GetDebugLocLine", U, P)
file_of = c("GetDebugLocFilename", P, P, ctypes.POINTER(U))
call_attribute = c("GetCallSiteEnumAttribute", P, P, U, U)
function_attribute = c("GetEnumAttributeAtIndex", P, P, U, U)
attribute_value = c("GetEnumAttributeValue", ctypes.c_uint64, P)
attribute_type = c("GetTypeAttributeValue", P, P)
kind_of = c("GetEnumAttributeKindForName", U, S, Z)
size_of = c("ABISizeOfType", ctypes.c_ulonglong, P, P)
align_of = c("ABIAlignmentOfType", U, P, P)
convention = c("GetFunctionCallConv", U, P)
call_convention = c("GetInstructionCallConv", U, P)
alignment_of = c("GetAlignment", U, P)


def kind(name):
    return kind_of(name.encode(), len(name))


metadata = c("GetMetadata", P, P, U)
md_kind = c("GetMDKindID", U, S, U)
operands = c("GetMDNodeOperands", None, P, ctypes.POINTER(P))
TBAA = md_kind(b"tbaa", 4)
MEMORY, BYVAL = kind("memory"), kind("byval")
types = {}


def text(pointer):
    out = ctypes.cast(pointer, S).value.decode()
    L.LLVMDisposeMessage(P(pointer))
    return out


def type_text(t):
    if t not in types:
        types[t] = text(print_type(t))
    return types[t]


def name_of(v):
    n = Z()
    p = get_name(v, ctypes.byref(n))
    return ctypes.string_at(p, n.value).decode()


class Inst:
    __slots__ = ("id", "op", "type", "args", "block", "more", "line", "uses", "has_type", "is_whole_word")


class Block:
    __slots__ = ("id", "inst", "next", "before", "number")


class Function:
    pass


class Module:
    def __init__(self, path):
        buffer, message = P(), P()
        if L.LLVMCreateMemoryBufferWithContentsOfFile(path.encode(), ctypes.byref(buffer), ctypes.byref(message)):
            raise SystemExit(f"{path}: {text(message.value)}")
        create = c("ContextCreate", P)
        self.context, self.ref = create(), P()
        if L.LLVMParseIRInContext(P(self.context), buffer, ctypes.byref(self.ref), ctypes.byref(message)):
            raise SystemExit(f"{path}: {text(message.value)}")
        self.layout = c("GetModuleDataLayout", P, P)(self.ref)
        self.constants = {}
        self.variables, self.functions = {}, {}
        v = c("GetFirstGlobal", P, P)(self.ref)
        while v:
            self.variables[name_of(v)] = v
            v = c("GetNextGlobal", P, P)(v)
        f = c("GetFirstFunction", P, P)(self.ref)
        following = c("GetNextFunction", P, P)
        while f:
            if not c("IsDeclaration", I, P)(f):
                self.functions[name_of(f)] = self.read(f)
            f = following(f)

    def size(self, t):
        return size_of(self.layout, t)

    def align(self, t):
        return align_of(self.layout, t)

    # ---- constants: ("c", type, text), ("g", "ptr", text with names of variables), ("f", "ptr", name)

    def constant(self, v):
        if v not in self.constants:
            if is_function(v):
                self.constants[v] = ("f", "ptr", name_of(v))
            elif is_variable(v):
                self.constants[v] = ("g", "ptr", "@" + name_of(v))
            else:
                t = type_text(type_of(v))
                words = text(print_value(v)) if t != "metadata" else t
                assert words.startswith(t), words
                words = words[len(t) + 1:]
                self.constants[v] = ("g" if "@" in words else "c", t, words)
        return self.constants[v]

    def value(self, v):
        return v if is_instruction(v) or is_argument(v) else self.constant(v)

    def tells(self, tag):
        """A load says what it reads, and that is no number and not just bytes."""
        if not tag:
            return False
        parts = (P * 4)()
        operands(tag, parts)
        return not re.match(r'<0x\w+> = !\{!"(double|omnipotent char)"|!\{!"(double|omnipotent char)"', text(print_value(parts[1])))

    def read(self, ref):
        f = Function()
        f.ref, f.name = ref, name_of(ref)
        f.convention = convention(ref)
        t = c("GlobalGetValueType", P, P)(ref)
        f.returns = type_text(c("GetReturnType", P, P)(t))
        f.params = []
        p = c("GetFirstParam", P, P)(ref)
        while p:
            f.params.append((p, type_text(type_of(p))))
            p = c("GetNextParam", P, P)(p)
        of_memory = function_attribute(ref, 0xFFFFFFFF, MEMORY)
        f.is_pure = bool(of_memory) and attribute_value(of_memory) == 0
        f.reads_only = bool(of_memory) and all((attribute_value(of_memory) >> s) & 2 == 0 for s in (0, 2, 4, 6))
        f.blocks, f.block_of = [], {}
        f.insts = {}
        b = c("GetFirstBasicBlock", P, P)(ref)
        as_value = c("BasicBlockAsValue", P, P)
        while b:
            block = Block()
            block.id, block.inst, block.next, block.before = as_value(b), [], [], []
            block.number = len(f.blocks)
            f.block_of[block.id] = block
            f.blocks.append(block)
            b = c("GetNextBasicBlock", P, P)(b)
        b = c("GetFirstBasicBlock", P, P)(ref)
        as_block = c("ValueAsBasicBlock", P, P)
        for block in f.blocks:
            i = c("GetFirstInstruction", P, P)(as_block(block.id))
            following = c("GetNextInstruction", P, P)
            while i:
                block.inst.append(self.instruction(f, block, i, as_value))
                i = following(i)
            last = block.inst[-1]
            block.next = [f.block_of[x] for x in (last.more if last.op == "br" else [])]
        for block in f.blocks:
            for n in block.next:
                n.before.append(block)
        return f

    def instruction(self, f, block, v, as_value):
        i = Inst()
        i.id, i.block, i.more, i.uses = v, block, None, []
        i.op = OPCODES.get(opcode(v))
        if i.op is None:
            raise SystemExit(f"{f.name}: {text(print_value(v))}")
        i.type = type_text(type_of(v))
        i.line = line_of(v)
        f.insts[v] = i
        n = n_operand(v)
        if i.op == "br":
            # condition, then where to go if true, if false
            places = [operand(v, k) for k in range(n)]
            i.args = [self.value(places[0])] if n == 3 else []
            i.more = [places[2], places[1]] if n == 3 else [places[0]]
        elif i.op == "phi":
            count = count_incoming(v)
            i.args = [self.value(incoming_value(v, k)) for k in range(count)]
            i.more = [as_value(incoming_block(v, k)) for k in range(count)]
        elif i.op == "call":
            count = n_argument(v)
            i.args = [self.value(operand(v, k)) for k in range(count)]
            to = called(v)
            assert not is_inline(to), text(print_value(v))
            byval = []
            for k in range(count):
                a = call_attribute(v, k + 1, BYVAL)
                byval.append(attribute_type(a) if a else None)
            i.more = (self.value(to), byval, call_convention(v))
        else:
            i.args = [self.value(operand(v, k)) for k in range(n)]
            if i.op == "icmp":
                i.more = ICMP[c("GetICmpPredicate", I, P)(v)]
            elif i.op == "fcmp":
                i.more = FCMP[c("GetFCmpPredicate", I, P)(v)]
            elif i.op == "alloca":
                t = allocated(v)
                i.more = (self.size(t), max(self.align(t), alignment_of(v)))
            elif i.op == "gep":
                i.more = type_text(gep_type(v)).split(" = type")[0]
            elif i.op in ("load", "store"):
                i.more = bool(volatile(v))
                i.is_whole_word = alignment_of(v) >= 8
                i.has_type = self.tells(metadata(v, TBAA))
            elif i.op in ("extractvalue", "insertvalue"):
                i.more = [indices(v)[k] for k in range(n_indices(v))]
        return i
