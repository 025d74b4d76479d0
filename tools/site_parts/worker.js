// SPDX-License-Identifier: MIT
// A browser refuses workers to pages that are opened as files. There, the worker of the search runs in a hidden frame instead.
if (location.protocol === "file:") {
    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.body.appendChild(frame);
            this.frame = frame.contentWindow;
            this.isLoaded = new Promise((done) => (this.loaded = done));
            window.addEventListener("message", (event) => {
                if (event.source === this.frame) {
                    this.dispatchEvent(new MessageEvent("message", { data: event.data }));
                }
            });
            const page = this.frame.document;
            page.open();
            page.write("<script>postMessage = (data) => parent.postMessage(data, '*')</" + "script>");
            page.close();
            const script = page.createElement("script");
            script.src = url;
            script.onload = () => this.loaded();
            page.head.appendChild(script);
        }
        postMessage(data) {
            this.isLoaded.then(() => this.frame.dispatchEvent(new MessageEvent("message", { data })));
        }
    };
}
