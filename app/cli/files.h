// SPDX-License-Identifier: MIT
/* files.h - names of files and folders, and where the models are. */
#pragma once
#include <stdbool.h>

/* Folder of the installed models; the build may say where. */
#ifndef BI_MODELS_DIR
#define BI_MODELS_DIR "/usr/local/share/biela/models"
#endif

/* From the folder of the executable to the models of its installation. */
#ifndef BI_MODELS_FROM_BIN
#define BI_MODELS_FROM_BIN "../share/biela/models"
#endif
/* Folder of the installed models: beside the executable if it is there, so that a moved installation works, else
 * BI_MODELS_DIR. Free it. */
char *file_models_folder(void);

/* Folder of the viewer's files: $BIELA_WEB, beside the models of the installation, or web/dist of the source tree that
 * the executable was built in. NULL: none has an index.html. Free it. */
char *file_web_folder(void);

/* Folder of the page with its own engine: $BIELA_PAGE, beside the models of the installation, or build/page of the source tree that
 * the executable was built in. NULL: none has a playground.html. Free it. */
char *file_page_folder(void);

/* Folder of what `biela new` begins with: of $BIELA_MODELS, of the installation, or of the sources. NULL: none. Free it. */
char *file_starts_folder(void);
/* Folder of the documentation: of the site (index.html), of the texts (README.md); of the installation or of the sources. NULL: it is
 * not there. Free it. */
char *file_site_folder(void);
char *file_texts_folder(void);

/* Folder of the executable with a slash at its end, "" if the system does not tell. Free it. */
char *file_of_executable(void);
/* Short name of a model from its path: the folder of a model.yaml, else the file without its ending. Free it. */
char *file_model_name(const char *path);
/* The path with another ending: out/a.csv -> out/a.png. Free it. */
char *file_with_ending(const char *path, const char *ending);
bool file_has_ending(const char *path, const char *ending);
bool file_exists(const char *path);
bool file_is_folder(const char *path);
/* Creates the folders above the file. On failure prints why and returns false. */
bool file_make_folders(const char *path);
/* The program is found in $PATH. */
bool file_program_exists(const char *name);
/* Opens an address or a file in the browser of whoever sits here, and does not wait. False: there is no display, or no
 * program that opens it. */
bool file_show(const char *address);
