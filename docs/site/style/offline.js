// SPDX-License-Identifier: Apache-2.0
// A page that was opened from a disk may fetch no other, so that a search shows titles alone: there its excerpts are taken from
// excerpts.js, which a page may load.
if (location.protocol === "file:" && location.pathname.endsWith("/search.html")) {
    const script = document.createElement("script");
    script.src = new URL("excerpts.js", document.currentScript.src);
    const texts = new Promise(loaded => { script.onload = () => loaded(window.EXCERPTS); });
    document.head.append(script);
    window.fetch = async url => {
        const page = document.createElement("div");
        page.setAttribute("role", "main"); // where the search looks for a page's text
        page.textContent = (await texts)[String(url).replace(/\.html$/, "").replace(/^\.\//, "")] || "";
        return { text: async () => page.outerHTML };
    };
}
