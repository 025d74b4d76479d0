# SPDX-License-Identifier: MIT
# For the tests of the page: they need it built, and some need a browser.
if ! tools/viewer; then
    echo "FAILED: the page could not be built"
    exit 1
fi

need_browser() {
    if [ -z "$(command -v chromium || command -v chromium-browser || command -v google-chrome)" ]; then
        echo "SKIPPED: no browser (Debian: chromium)"
        exit 77
    fi
}
