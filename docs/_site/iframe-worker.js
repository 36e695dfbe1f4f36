// A page that is read from the disk may start no worker, and the search of the site is one. There, and only there, this
// class stands in for it: it runs the same script in a hidden frame. The offline plugin of Material for MkDocs would fetch
// such a script from the web when the page is read.
class FrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    this.loaded = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
    this.heard = (event) => {
      if (event.source !== this.frame.contentWindow) return;
      event.stopImmediatePropagation();
      this.dispatchEvent(new MessageEvent("message", { data: event.data }));
    };
    window.addEventListener("message", this.heard);
    const script = new URL(url, document.baseURI).href.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    this.frame.srcdoc =
      "<script>var postMessage = (data) => parent.postMessage(data, '*');</" +
      `script><script src="${script}"></` +
      "script>";
    document.body.appendChild(this.frame);
  }

  postMessage(data) {
    this.loaded.then(() => {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    });
  }

  terminate() {
    window.removeEventListener("message", this.heard);
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
