# SPDX-License-Identifier: MIT
# The command as a module for pages: biela.js and biela.wasm. What is sent counts: only the engine is compiled for speed.
# Without -msimd128: with it clang 14 gives other last bits (flex-four-bar in natural coordinates).
foreach(part IN ITEMS biela_cli biela_io biela_record biela_realtime biela_control biela_fyaml biela_expat)
    target_compile_options(${part} PRIVATE -Oz)
endforeach()
file(GLOB_RECURSE once src/model/*.c src/exact/*.c src/analysis/*.c src/flex/mesh/*.c src/flex/modes/*.c src/sim/image/*.c src/sim/outputs/*.c
    src/math/unit*.c src/geom/convex/decompose.c src/geom/pieces.c src/geom/mesh*.c src/geom/road/make.c src/state/plan*.c
    src/coordinates/natural/*compile*.c src/coordinates/joint/*compile*.c src/laws/bond/assign.c src/laws/bond/expand.c src/laws/bond/net.c
    src/laws/bond/symbols.c src/laws/bond/tape_build.c src/laws/bond/tape_order.c src/laws/bond/bonds.c src/laws/bond/closed.c
    src/laws/bond/fraction.c src/sim/verdict*.c src/sim/start.c src/sim/blame.c src/sim/compile.c src/math/expr/expr_parse.c
    src/dynamics/parts.c src/sparse/ldl_analyse.c src/coordinates/joint/joint_tree.c src/coordinates/natural/share.c
    src/coordinates/joint/joint_reactions.c src/coordinates/natural/natural_reactions.c src/geom/convex/hull.c src/laws/force/user_law.c src/integrate/initial.c)
set_property(SOURCE ${once} APPEND PROPERTY COMPILE_OPTIONS -Oz)
target_link_options(biela_cli PRIVATE -O2 -sMODULARIZE=1 -sEXPORT_NAME=bielaEngine -sINVOKE_RUN=0 -sEXIT_RUNTIME=0
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sTOTAL_STACK=8388608 -sFORCE_FILESYSTEM=1
    -sENVIRONMENT=web,worker,node -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0
    "-sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain,ccall,HEAPU8,HEAPF64,UTF8ToString"
    "-sEXPORTED_FUNCTIONS=_main,_malloc,_free")
set_target_properties(biela_cli PROPERTIES SUFFIX .js)
